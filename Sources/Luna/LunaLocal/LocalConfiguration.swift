public import Bluetooth
public import LunaProtocol

/// How `LunaLocal` listens.
public struct LocalConfiguration: Sendable {
  /// The UUIDs of the Luna regions, by index.
  public var regions: [BluetoothUUID] = IBeaconFrame.defaultRegions
  /// The companies whose Luna frames are taken.
  public var companies: [UInt16] = LunaFrame.defaultCompanies
  /// How long a device may be silent before it has timed out, s. A time in which the radio does not work does not
  /// count, nor what was heard before it.
  public var timeout: Double = 60
  /// The bound of the error of trackers' oscillators, parts per million.
  public var ppm: Int64 = ClockInterval.defaultPPM
  /// The number of foreign devices that are kept; the longest silent gives way.
  public var foreignLimit = 4096
  /// Whether the time is that of a recording, so that it may lie before what the store knows.
  public var isRecording = false
  /// Whether time goes on while nothing is heard: not where a recording is read as fast as it can be.
  public var timePasses = true
  /// Whether devices that somebody else onboards, or another process, are followed as well from then
  /// on.
  public var followsNewDevices = true
  /// How the time of periods and rotations follows from that of reports.
  public var time = ProtocolTime()

  /// The usual configuration.
  public init() {}
}
