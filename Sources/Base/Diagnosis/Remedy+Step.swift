extension Remedy {
  /// What a remedy tells somebody to do, to use or to give. A program can look for it in
  /// ``Remedy/steps`` and offer it; a front end can name it as its users know it
  /// (``Remedy/nameSteps(_:)``).
  ///
  /// All of them are here, so that whoever names them sees in one `switch` that none is left out.
  public enum Step: Hashable, Sendable {
    // The system.

    /// To switch the adapter `hci0` on.
    case powerOnAdapter(String)
    /// To lift the block of rfkill.
    case unblockRadios
    /// To give the program at a path what it needs to hear everything.
    case grantCapabilities(program: String)
    /// To start bluetoothd.
    case startBluetoothDaemon
    /// To start bluetoothd anew.
    case restartBluetoothDaemon
    /// To make the user a member of a group.
    case joinGroup(String)
    /// To load the kernel's Bluetooth.
    case loadBluetooth
    /// To keep the USB device at a port (`1-1.4`) from being suspended.
    case keepAwake(port: String)
    /// To have the clock set by the network.
    case setClock
    /// To start a unit of systemd's.
    case startUnit(String)
    /// To start a unit of systemd's anew.
    case restartUnit(String)
    /// To read what a unit of systemd's has said.
    case unitLog(String)
    /// To have systemd read the files of its units again.
    case reloadUnits
    /// To give a directory with all that is in it to the user.
    case takeOver(String)
    /// To keep others out of a file or directory.
    case closeToOthers(String)
    /// What examines the machine.
    case doctor

    // The radio.

    /// A radio path: `observe`.
    case radioPath(String)
    /// A recording in the place of an adapter.
    case recording
    /// What lists the adapters.
    case adapters
    /// The choice of an adapter.
    case adapter
    /// An adapter other than this one.
    case otherAdapter
    /// The choice of PHYs: `1m,coded`.
    case phys(String)
    /// An active scan.
    case activeScan
    /// A passive scan on a radio path.
    case passiveScan(path: String)
    /// To read what a program for compressed data unpacks.
    case unpack(program: String)

    // Trackers.

    /// What lists the advertisements nearby.
    case scan
    /// What lists the trackers nearby.
    case scanOfTrackers
    /// What follows one's own trackers.
    case following
    /// What makes a tracker one's own.
    case onboarding
    /// What makes a tracker ring for a stranger.
    case ringingAsStranger
    /// What asks a tracker for its clock, or sets it.
    case pingOrClock
    /// What sets the clock of a tracker.
    case clock
    /// More time.
    case timeLimit(String)
    /// What tests the cryptography.
    case selftest
    /// What makes a tracker in software.
    case trackerCreation
    /// What lists the trackers in software.
    case trackers
    /// To put a tracker in software back into factory state.
    case trackerReset

    // The owner's devices.

    /// What lists the devices.
    case devices
    /// To forget a device.
    case forgetting
    /// To forget the device of a uuid.
    case forgettingDevice(String)
    /// What makes control packages.
    case packages
    /// What writes devices to a file.
    case export
    /// What reads devices from a file.
    case importing
    /// The time that is asked about.
    case timeRange

    // Files.

    /// To replace a file.
    case replacing
    /// The choice of the directory for devices and queue.
    case directory
    /// Such a directory.
    case namedDirectory
    /// Another such directory.
    case otherDirectory
    /// Another directory for trackers in software.
    case otherTrackerDirectory
    /// The passphrase of sealed keys.
    case passphrase

    // Gateways and backends.

    /// What runs a gateway.
    case gateway
    /// The choice of what says where a gateway is.
    case location
    /// The address of the backend.
    case backend
    /// What makes tokens.
    case tokenCreation
    /// What lists tokens.
    case tokens
    /// The file of a token.
    case tokenFile
    /// What makes the first account of a backend.
    case accountCreation
    /// What makes codes with which a gateway gets a token.
    case enrolmentCode
    /// What gets a token for a gateway.
    case enrolment
    /// What signs somebody in.
    case signIn
    /// The token of who is signed in.
    case signedIn
    /// To say for whom somebody stands whom an issuer knows.
    case linkIdentity
    /// Access tokens in the place of ID tokens.
    case accessTokens
    /// Who signs people in, and as which program.
    case issuer
    /// Where codes for another device are asked for.
    case deviceEndpoint
    /// The port at which a browser comes back.
    case redirectPort
    /// To bring a storage to this version.
    case migration
    /// What changes what all processes on a storage go by.
    case sharedSettings
    /// Where a storage is.
    case storage
    /// Where a server listens.
    case listening
    /// What a server needs for TLS.
    case certificate
    /// The password for a broker.
    case brokerPassword
    /// To let a token go to a backend over plain http.
    case insecureBackend
    /// To let events go to a webhook over plain http.
    case insecureWebhook
  }
}

extension Remedy.Step: CustomStringConvertible {
  /// Its name: the front end's, or in plain words.
  public var description: String {
    #if hasFeature(Embedded)
      plainWords  // There is no front end on a device.
    #else
      Remedy.name(of: self) ?? plainWords
    #endif
  }

  /// What a program in Swift knows it by.
  private var plainWords: String {
    switch self {
    case .powerOnAdapter: "run: bluetoothctl power on"
    case .unblockRadios: "run: sudo rfkill unblock bluetooth"
    case .grantCapabilities(let program):
      "run: sudo setcap cap_net_raw,cap_net_admin+eip \(Self.quoted(program))"
    case .startBluetoothDaemon: "run: sudo systemctl start bluetooth"
    case .restartBluetoothDaemon: "run: sudo systemctl restart bluetooth"
    case .joinGroup(let group): "run: sudo adduser $USER \(group), and log in again"
    case .loadBluetooth: "run: sudo modprobe bluetooth"
    case .keepAwake(let port):
      "run: echo on | sudo tee \(Self.quoted("/sys/bus/usb/devices/\(port)/power/control"))"
    case .setClock: "run: sudo timedatectl set-ntp true"
    case .startUnit(let unit): "run: sudo systemctl start \(Self.quoted(unit))"
    case .restartUnit(let unit): "run: sudo systemctl restart \(Self.quoted(unit))"
    case .unitLog(let unit): "run: sudo journalctl -u \(Self.quoted(unit)) -n 50"
    case .reloadUnits: "run: sudo systemctl daemon-reload"
    case .takeOver(let path): "run: sudo chown -R $USER \(Self.quoted(path))"
    case .closeToOthers(let path): "run: chmod go= \(Self.quoted(path))"
    case .doctor: "LunaDoctor"
    case .radioPath(let path): "the radio path \(path)"
    case .recording: "a recording"
    case .adapters: "the system"
    case .adapter: "the adapter"
    case .otherAdapter: "another adapter"
    case .phys(let phys): "the PHYs \(phys)"
    case .activeScan: "an active scan"
    case .passiveScan(let path): "a passive scan on the radio path \(path)"
    case .unpack(let program): program
    case .scan, .scanOfTrackers: "a scan"
    case .following: "LunaLocal"
    case .onboarding: "LunaOnboarder"
    case .ringingAsStranger: "as they do for any stranger"
    case .pingOrClock: "LunaBuzzer to ask for its time or to set it"
    case .clock: "LunaBuzzer to set it"
    case .timeLimit(let time): time
    case .selftest: "LunaVectors"
    case .trackerCreation: "TrackerFlash"
    case .trackers: "their directory"
    case .trackerReset: "reset that one"
    case .devices, .packages: "LunaOwner"
    case .forgetting: "forget"
    case .forgettingDevice(let uuid): "forgetDevice(_:) of LunaOwner for \(uuid)"
    case .export: "an export"
    case .importing: "an import"
    case .timeRange: "a beginning before the end"
    case .replacing: "`replacing`"
    case .directory, .otherDirectory, .otherTrackerDirectory: "another directory"
    case .namedDirectory: "a directory"
    case .passphrase: "a passphrase"
    case .gateway: "LunaFinder"
    case .location: "source of locations"
    case .backend: "LunaSettings.backend"
    case .tokenCreation, .accountCreation, .enrolmentCode: "the tools of the backend"
    case .enrolment: "an enrolment"
    case .tokens: "the tools of the backend list them"
    case .tokenFile: "TokenSource.file"
    case .linkIdentity: "the tools of the backend to link them"
    case .signIn: "LunaAccount to sign in"
    case .signedIn: "TokenSource.provider"
    case .accessTokens: "AuthMode.accessToken"
    case .issuer: "AccountConfiguration.issuer"
    case .deviceEndpoint: "AccountConfiguration.deviceEndpoint"
    case .redirectPort: "another port in the redirect address"
    case .migration: "migrate it"
    case .sharedSettings: "change the settings of the storage"
    case .storage: "where it is said to be"
    case .listening: "a host and port"
    case .certificate: "a certificate and its key"
    case .brokerPassword: "MQTTConfiguration.password"
    case .insecureBackend: "ClientConfiguration.allowsInsecure"
    case .insecureWebhook: "`allowsInsecure`"
    }
  }

  /// A path as one word for a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    if isPlain { return path }
    var word = "'"
    // By what a shell reads: an accent behind an apostrophe is no part of it there.
    for scalar in path.unicodeScalars {
      if scalar == "'" { word += #"'\''"# } else { word.unicodeScalars.append(scalar) }
    }
    return word + "'"
  }
}
