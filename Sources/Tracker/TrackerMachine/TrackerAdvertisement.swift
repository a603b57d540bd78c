public import Bluetooth
public import LunaProtocol

/// What a tracker sends between two changes.
public struct TrackerAdvertisement: Hashable, Sendable {
  /// The random static address.
  public var address: BluetoothAddress
  /// ADV_IND or ADV_NONCONN_IND.
  public var pdu: PDUType
  /// The advertising data, at most 31 bytes.
  public var data: [UInt8]
  /// The scan response data; only with ADV_IND.
  public var scanResponse: [UInt8]
  /// From one PDU to the next, ms of real time.
  public var interval: Int64
  /// What is added to ``interval`` at random each time, at most, ms.
  public var intervalDelay: Int64
  /// The period on air; in factory state counted from power-on.
  public var period: UInt32
  /// Which of the two kinds of frame it is.
  public var mode: AdvertisingSlot.Mode
  /// The index of the region of an iBeacon frame; nil for a BLE frame.
  public var region: Int?
  /// What the owner recognises in this period.
  public var eid: EID
  /// What reports of this period are stored under.
  public var heid: HEID

  /// Whether connections are accepted.
  public var isConnectable: Bool { pdu == .advInd }
}
