/// The service luna-finder of systemd, for a machine on which no package has installed it. The texts are
/// those of udev/systemd; scripts/lib/check-units compares them.
enum FinderUnit {
  static let name = "luna-finder.service"
  /// Who it runs as.
  static let user = "luna-finder"
  /// What it is handed sockets by, and so needs no capability of its own.
  static let helperSocket = "luna-helper.socket"
  /// Where the unit looks for the program.
  static let usualProgram = "/usr/local/bin/luna"
  /// Gives it the capabilities itself, where there is no helper: a file below `NAME.d`.
  static let ambientName = "ambient.conf"

  /// The unit, for a program elsewhere.
  static func text(program: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("ExecStart=" + usualProgram)
        ? "ExecStart=" + program + line.dropFirst("ExecStart=".count + usualProgram.count)
        : String(line)
    }
    return lines.joined(separator: "\n")
  }

  static let text = #"""
    [Unit]
    Description=Luna finder: report Bluetooth trackers to their owners
    Documentation=man:luna-finder(1)
    After=bluetooth.service network-online.target gpsd.service luna-helper.socket
    Wants=network-online.target luna-helper.socket

    [Service]
    Type=notify
    ExecStart=/usr/local/bin/luna finder --state /var/lib/luna --format text
    ExecReload=/bin/sh -c 'kill -HUP $MAINPID'
    LoadCredential=luna.gateway-token:/etc/luna/gateway.token
    StateDirectory=luna
    StateDirectoryMode=0700
    Restart=on-failure
    RestartSec=10
    # A wrong option stays wrong.
    RestartPreventExitStatus=2
    # A stop brings away what waits; that takes 10 s at most.
    TimeoutStopSec=20
    # Fed while it hears something, or its radio tells what it does about the silence.
    WatchdogSec=60

    # Packages and luna setup make this user: a dynamic one is unknown to dbus-daemon, which then refuses it.
    User=luna-finder
    # Who may ask luna-helper, and repair what keeps an adapter from working.
    SupplementaryGroups=bluetooth
    BindPaths=-/dev/rfkill -/dev/bus/usb
    DeviceAllow=/dev/rfkill rw
    DeviceAllow=char-usb_device rw
    UMask=0077
    # Its memory holds keys.
    LimitCORE=0
    CapabilityBoundingSet=
    MemoryDenyWriteExecute=yes
    PrivateUsers=yes
    # To one machine at a time, wherever it is: no broadcast, no multicast.
    IPAddressAllow=0.0.0.0/1 128.0.0.0/2 192.0.0.0/3 ::1 64:ff9b::/96 64:ff9b:1::/48 2000::/3 fc00::/7 fe80::/10
    IPAddressDeny=any
    RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
    DynamicUser=yes
    NoNewPrivileges=yes
    KeyringMode=private
    LockPersonality=yes
    PrivateDevices=yes
    PrivateIPC=yes
    PrivateMounts=yes
    PrivateTmp=yes
    ProcSubset=pid
    # Which hides from it which start of the machine this is.
    Environment=LUNA_BOOT_ID=%b
    ProtectClock=yes
    ProtectControlGroups=yes
    ProtectHome=yes
    ProtectHostname=yes
    ProtectKernelLogs=yes
    ProtectKernelModules=yes
    ProtectKernelTunables=yes
    ProtectProc=invisible
    ProtectSystem=strict
    RemoveIPC=yes
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    SystemCallArchitectures=native
    SystemCallErrorNumber=EPERM
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged @resources

    [Install]
    WantedBy=multi-user.target

    """#

  static let ambient = #"""
    [Service]
    AmbientCapabilities=CAP_NET_RAW CAP_NET_ADMIN
    CapabilityBoundingSet=CAP_NET_RAW CAP_NET_ADMIN
    PrivateUsers=no
    RestrictAddressFamilies=AF_BLUETOOTH

    """#
}
