import Bluetooth
public import LunaCore
public import LunaJSON

extension DeviceReport {
  /// Reads a report. Whether its hours can be is not looked at: a gateway's clock may be wrong.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the device")
    let ref = try members.string("ref")
    guard DeviceReport.isRef(ref) else {
      throw FormatError("ref", "is not 16 lower-case hexadecimal digits")
    }
    let (first, last) = (try members.hour("first"), try members.hour("last"))
    guard first <= last else { throw FormatError("first", "is after last") }
    let bits = try members.integer("hours", in: 0...0xFF_FFFF)
    guard let band = DeviceBand(rawValue: try members.string("band")) else {
      throw FormatError("band", "is not near, mid or far")
    }
    self.init(
      ref: ref, family: try members.word("family", limit: 64), first: first, last: last,
      hours: HeardHours(bits: UInt32(bits), at: last), band: band)
  }

  /// The report as JSON.
  public var json: JSONValue {
    [
      "ref": .string(ref), "family": .string(family), "first": .string(first.rfc3339),
      "last": .string(last.rfc3339),
      "hours": .integer(Int64(hours.moved(to: HeardHours.hour(of: last)).bits)),
      "band": .string(band.rawValue),
    ]
  }
}

extension JSONMembers {
  fileprivate func hour(_ name: String) throws(FormatError) -> Timestamp {
    let time = try time(name)
    guard time == HeardHours.beginning(of: HeardHours.hour(of: time)) else {
      throw FormatError(name, "is not a time at a full hour")
    }
    return time
  }
}
