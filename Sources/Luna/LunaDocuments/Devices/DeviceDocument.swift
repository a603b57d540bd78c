import Bluetooth
import LunaCrypto
import LunaCore
import LunaProtocol

/// A device as a JSON line, and as a row of columns.
struct DeviceDocument {
  let device: Device
  var sighting: Sighting?
  var clock: ClockState?

  static let titles = ["NAME", "KIND", "DEVICE", "ONBOARDED", "LAST SEEN", "RSSI"]

  var columns: [String] {
    [
      DisplayText.clean(device.name), device.keys.kind.rawValue,
      device.uuid.description,
      device.onboarded.map { String($0.rfc3339.prefix(19)) } ?? "-",
      sighting.map { String($0.receivedAt.rfc3339.prefix(19)) } ?? "-",
      sighting?.rssi.map { String($0) } ?? "-",
    ]
  }

  /// The columns of the table.
  static let heads: [ColumnTable.Column] = [
    .init(title: "NAME", minimum: 12), .init(title: "KIND", minimum: 8, isOptional: true),
    .init(title: "DEVICE", minimum: 9), .init(title: "ONBOARDED (UTC)", isOptional: true),
    .init(title: "LAST SEEN (UTC)"), .init(title: "RSSI", isNumber: true, isOptional: true),
  ]

  var cells: [String] {
    [
      device.name, device.keys.kind.rawValue, device.uuid.description,
      device.onboarded.map(ClockText.dateAndTime) ?? "-",
      sighting.map { ClockText.dateAndTime($0.receivedAt) } ?? "never",
      sighting?.rssi.map { String($0) } ?? "-",
    ]
  }

  /// Appends a line.
  ///
  /// - Parameter revealing: whether the keys are shown.
  func append(_ type: StaticString, revealing: Bool = false, to output: OutputBuffer) {
    output.append("{\"type\":\"")
    output.append(type)
    output.append("\"")
    var writer = JSONFieldWriter(output, continuing: true)
    writer.string("device", device.uuid.description)
    writer.string("kind", device.keys.kind.rawValue)
    writer.string("name", device.name)
    if let time = device.onboarded { writer.string("onboardingTimestamp", time.rfc3339) }
    if device.isUnauthenticated { writer.boolean("unauthenticated", true) }
    if let sighting {
      writer.string("lastSeenAt", sighting.receivedAt.rfc3339)
      writer.address("address", sighting.address)
      writer.hex("eid", sighting.eid.span)
      if let period = sighting.period { writer.integer("counter", Int64(period)) }
      if let rssi = sighting.rssi { writer.integer("rssi", Int64(rssi)) }
      if let isLow = sighting.batteryLow { writer.boolean("batteryLow", isLow) }
    }
    if let interval = clock?.interval {
      writer.beginItem("clock")
      writer.decimal("low", interval.low, digits: 3)
      writer.decimal("high", interval.high, digits: 3)
      writer.string("time", Timestamp(unixMilliseconds: interval.time).rfc3339)
      writer.endItem()
    }
    if revealing { reveal(to: &writer) }
    output.append("}\n")
  }

  private func reveal(to writer: inout JSONFieldWriter) {
    switch device.keys {
    case .luna(let key): key.secret.withBytes { writer.hex("masterKey", $0) }
    case .eddystoneEID(let keys):
      keys.identityKey.withBytes { writer.hex("identityKey", $0) }
      writer.integer("exponent", Int64(keys.exponent))
      writer.integer("counter", Int64(keys.counter))
    case .appleFindMy(let keys):
      keys.masterKey.withBytes { writer.hex("masterKey", $0) }
      keys.primarySecret.withBytes { writer.hex("primarySecret", $0) }
      keys.secondarySecret.withBytes { writer.hex("secondarySecret", $0) }
      if let alignment = keys.alignment {
        writer.string("alignmentTimestamp", alignment.time.rfc3339)
        writer.integer("alignmentIndex", Int64(alignment.index))
      }
    case .googleFindHub(let keys):
      keys.identityKey.withBytes { writer.hex("identityKey", $0) }
      writer.integer("counter", Int64(keys.counter))
      writer.string("curve", keys.curve.rawValue)
    case .resolvableAddress(let key):
      key.secret.withBytes { writer.hex("identityResolvingKey", $0) }
    }
  }
}

extension Device {
  /// When it was onboarded; nil where nobody said so, as for devices with resolvable addresses.
  fileprivate var onboarded: Timestamp? {
    onboardingTimestamp.microseconds == 0 ? nil : onboardingTimestamp
  }
}
