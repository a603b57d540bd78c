import Diagnosis

/// How the command words what remedies tell: the one place that knows by which command or option
/// its user does what a library only names.
enum RemedyWords {
  /// Has all errors of this process speak of the commands and options.
  static func install() { Remedy.nameSteps(words) }

  /// The words for a step; nil where it has nothing to do with the command.
  static func words(_ step: Remedy.Step) -> String? {
    switch step {
    case .powerOnAdapter, .unblockRadios, .grantCapabilities, .startBluetoothDaemon,
      .restartBluetoothDaemon, .joinGroup, .loadBluetooth, .keepAwake, .setClock, .startUnit,
      .restartUnit, .unitLog, .reloadUnits, .takeOver, .closeToOthers:
      nil
    // An option of one command, another one of others (`--metrics`), and a key of the file of a home.
    case .listening: nil
    case .doctor: "luna doctor"
    case .radioPath(let path): "--radio \(path)"
    case .recording: "--read FILE"
    case .adapters: "luna adapters"
    case .adapter: "-i"
    case .otherAdapter: "another adapter with -i"
    case .phys(let phys): "--phy \(phys)"
    case .activeScan: "--active"
    case .passiveScan(let path): "--radio \(path) --passive"
    case .unpack(let program): "\(program) -dc FILE | luna scan -r -"
    case .scan: "luna scan"
    case .scanOfTrackers: "luna scan --trackers"
    case .following: "luna local"
    case .onboarding: "luna onboard"
    case .ringingAsStranger: "luna buzz --any"
    case .pingOrClock: "luna owner ping or set-clock"
    case .clock: "luna owner set-clock"
    case .timeLimit(let time): "-T \(time)"
    case .selftest: "luna selftest"
    case .trackerCreation: "luna tracker create"
    case .trackers: "luna tracker list"
    case .trackerReset: "luna tracker reset"
    case .devices: "luna owner list"
    case .forgetting: "luna owner forget"
    case .forgettingDevice(let uuid): "luna owner forget \(uuid)"
    case .packages: "luna owner packages"
    case .export: "luna owner export"
    case .importing: "luna owner import"
    case .timeRange: "--from before --to"
    case .replacing: "--force"
    case .directory: "--state DIR"
    case .namedDirectory: "a directory with --state DIR"
    case .otherDirectory: "another directory with --state DIR"
    case .otherTrackerDirectory: "another directory with --state"
    case .passphrase: "--passphrase-file FILE"
    case .gateway: "luna finder"
    case .location: "--location"
    case .backend: "--backend URL"
    case .tokenCreation: "luna backend token create"
    case .tokens: "luna backend token list"
    case .tokenFile: "--token-file FILE"
    case .accountCreation: "luna account add NAME --role admin"
    case .enrolmentCode: "luna backend enroll NAME"
    case .enrolment: "luna finder enroll"
    case .linkIdentity: "luna account link"
    case .signIn: "luna login"
    case .signedIn: "--sign-in"
    case .accessTokens: "--mode accessToken"
    case .issuer: "--issuer URL with --client-id ID"
    case .deviceEndpoint: "--device-endpoint URL"
    case .redirectPort: "--redirect-port N"
    case .migration: "luna backend migrate"
    case .sharedSettings: "luna backend settings"
    case .storage: "--store"
    case .certificate: "--tls-cert and --tls-key"
    case .brokerPassword:
      "--mqtt-password-file FILE (in a configuration file mqtt-password-file = FILE)"
    case .insecureBackend: "--allow-plain-http"
    case .insecureWebhook: "--webhook-allow-plain-http"
    }
  }
}
