/// The management commands that Luna sends (BlueZ, doc/mgmt-protocol.rst).
enum MgmtOpcode {
  static let readIndexList: UInt16 = 0x0003
  static let readInformation: UInt16 = 0x0004
  static let setPowered: UInt16 = 0x0005
  static let setLowEnergy: UInt16 = 0x000D
  static let getConnections: UInt16 = 0x0015
  static let startDiscovery: UInt16 = 0x0023
  static let stopDiscovery: UInt16 = 0x0024
  static let readUnconfiguredIndexList: UInt16 = 0x0036
  static let startServiceDiscovery: UInt16 = 0x003A
  static let readAdvertisingFeatures: UInt16 = 0x003D
  static let startLimitedDiscovery: UInt16 = 0x0041
  static let getPHYConfiguration: UInt16 = 0x0044
  static let setPHYConfiguration: UInt16 = 0x0045
  static let readDefaultSystemConfiguration: UInt16 = 0x004B
  static let setDefaultSystemConfiguration: UInt16 = 0x004C
  static let readMonitorFeatures: UInt16 = 0x0051
  static let addPatternsMonitor: UInt16 = 0x0052
  static let removeMonitor: UInt16 = 0x0053

  /// Those by which radios and scans are switched; bluetoothd sends two that we do not.
  static let switches: Set<UInt16> = [
    setPowered, setLowEnergy, startDiscovery, startServiceDiscovery, startLimitedDiscovery,
    addPatternsMonitor,
  ]

  /// The name in the documentation.
  static func name(_ opcode: UInt16) -> String {
    switch opcode {
    case readIndexList: "Read Controller Index List"
    case readInformation: "Read Controller Information"
    case setPowered: "Set Powered"
    case setLowEnergy: "Set Low Energy"
    case getConnections: "Get Connections"
    case startDiscovery: "Start Discovery"
    case stopDiscovery: "Stop Discovery"
    case startServiceDiscovery: "Start Service Discovery"
    case startLimitedDiscovery: "Start Limited Discovery"
    case readUnconfiguredIndexList: "Read Unconfigured Controller Index List"
    case readAdvertisingFeatures: "Read Advertising Features"
    case getPHYConfiguration: "Get PHY Configuration"
    case setPHYConfiguration: "Set PHY Configuration"
    case readDefaultSystemConfiguration: "Read Default System Configuration"
    case setDefaultSystemConfiguration: "Set Default System Configuration"
    case readMonitorFeatures: "Read Advertisement Monitor Features"
    case addPatternsMonitor: "Add Advertisement Patterns Monitor"
    case removeMonitor: "Remove Advertisement Monitor"
    default: "command \(opcode)"
    }
  }
}
