package import Bluetooth
package import LunaCore
import LunaCrypto
package import LunaOwner
import LunaProtocol

/// A device as a JSON line.
package struct DeviceDocument {
  package let device: Device
  package var sighting: Sighting?
  package var clock: ClockState?
  /// What gateways reported of it last, where a backend was asked.
  package var newest: Event?

  /// The fields that are columns of comma-separated values.
  package static let columns = [
    "name", "kind", "device", "onboardingTimestamp", "lastSeenAt", "rssi",
  ]

  /// Those that tell where it was last, where a backend was asked.
  package static let placeColumns = [
    "newest.time", "newest.latitude", "newest.longitude", "newest.horizontalAccuracy",
  ]

  package init(
    device: Device, sighting: Sighting? = nil, clock: ClockState? = nil, newest: Event? = nil
  ) {
    self.device = device
    self.sighting = sighting
    self.clock = clock
    self.newest = newest
  }

  /// Appends a line.
  ///
  /// - Parameter revealing: whether the keys are shown.
  package func append(_ type: StaticString, revealing: Bool = false, to output: OutputBuffer) {
    var writer = JSONFieldWriter(type, in: output)
    writer.string("device", device.uuid.description)
    writer.string("kind", device.keys.kind.rawValue)
    writer.string("name", device.name)
    if let time = device.onboarded { writer.string("onboardingTimestamp", time.rfc3339) }
    if device.isUnauthenticated { writer.boolean("unauthenticated", true) }
    if let sighting {
      writer.string("lastSeenAt", sighting.receivedAt.rfc3339)
      writer.address("address", sighting.address)
      writer.hex("eid", sighting.eid.span)
      // The keys of some have a counter of their own, and a line has each name once.
      let isTaken = revealing && keys.contains { $0.label == "counter" }
      if let period = sighting.period, !isTaken { writer.integer("counter", Int64(period)) }
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
    if let newest {
      writer.beginItem("newest")
      writer.string("time", newest.collectedAt.rfc3339)
      EventDocument.append(newest.record, to: &writer)
      writer.string("storedAt", newest.receivedAt.rfc3339)
      writer.endItem()
    }
    if revealing { reveal(to: &writer) }
    writer.endLine()
  }

  /// The keys, and what belongs to them: a name and a value each.
  package var keys: [DetailWriter.Detail] {
    var writer = DetailWriter()
    reveal(to: &writer)
    return writer.details
  }

  private func reveal<Writer: FieldWriter>(to writer: inout Writer) {
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
    case .appleFindMyKey(let key):
      key.privateKey.withBytes { writer.hex("privateKey", $0) }
    case .googleFindHub(let keys):
      keys.identityKey.withBytes { writer.hex("identityKey", $0) }
      writer.integer("counter", Int64(keys.counter))
      writer.string("curve", keys.curve.rawValue)
    case .resolvableAddress(let key):
      key.secret.withBytes { writer.hex("identityResolvingKey", $0) }
    // They are not one's own to show.
    case .lunaShared: break
    }
  }
}

extension Device {
  /// When it was onboarded; nil where nobody said so, as for devices without a clock. Of one that somebody shares it is
  /// known when the share begins.
  package var onboarded: Timestamp? {
    shared != nil || onboardingTimestamp.microseconds == 0 ? nil : onboardingTimestamp
  }
}
