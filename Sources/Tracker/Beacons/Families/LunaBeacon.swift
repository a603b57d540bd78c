import Bluetooth
public import LunaFrames

/// A LunaTracker in BLE mode: a service list with 0x1804 and manufacturer data of a company that is
/// configured.
///
/// Layout: the Luna protocol, version 1, section 7 (the whole accept test counts).
public struct LunaBeacon: BeaconFrame {
  /// ``BeaconFamily/luna``.
  public static var family: BeaconFamily { .luna }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [
      .number("version"), .number("manufacturerId"), .number("keyRollingCounter"), .hex("eid"),
      .hex("aotp"), .hex("heid"), .hex("esf"), .boolean("connectable"), .boolean("onboardable"),
      .boolean("separated"),
    ]
  }

  /// What the bytes say.
  public let frame: LunaFrame

  /// Applies the accept test to the advertising data of one PDU.
  init?(_ bytes: Span<UInt8>, companies: [UInt16]) {
    guard let frame = try? LunaFrame(advertisingData: bytes, companies: companies) else {
      return nil
    }
    self.frame = frame
  }

  /// Where reports about this tracker in this period are stored. Computed at every call. Never
  /// nil; an optional since libcrypto, which computed it once, need not offer the hash.
  public var heid: HEID? { HEID(frame) }

  /// The state that matters most to someone who looks for trackers.
  @inlinable public var title: String {
    if frame.isOnboardable { return "LunaTracker (to onboard)" }
    return frame.isSeparated ? "LunaTracker (separated)" : "LunaTracker"
  }

  /// version, manufacturerId, keyRollingCounter, eid, aotp, heid, esf, connectable, onboardable,
  /// separated.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.integer("version", Int(LunaFrame.protocolVersion))
    writer.integer("manufacturerId", Int(frame.companyIdentifier))
    writer.integer("keyRollingCounter", Int(frame.keyRollingCounter))
    writer.hex("eid", Octets(frame.eid.bytes))
    writer.hex("aotp", Octets(frame.aotp.bytes))
    if let heid { writer.hex("heid", Octets(heid.bytes)) }
    writer.hex("esf", Octets(frame.esf.bytes))
    writer.boolean("connectable", frame.isConnectable)
    writer.boolean("onboardable", frame.isOnboardable)
    writer.boolean("separated", frame.isSeparated)
  }
}
