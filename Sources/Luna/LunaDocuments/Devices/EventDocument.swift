package import Bluetooth
package import LunaCore
package import LunaOwner
package import LunaProtocol

/// An event, as a JSON line.
package struct EventDocument {
  package let event: ReportOpener.Event
  package let heid: HEID
  package let device: Device?
  /// Whether the time is plausible, by what is known of the tracker's clock; nil when that is nothing.
  package var isPlausible: Bool?
  /// When the backend got it.
  package var receivedAt: Timestamp?

  package init(
    event: ReportOpener.Event, heid: HEID, device: Device?, isPlausible: Bool? = nil,
    receivedAt: Timestamp? = nil
  ) {
    self.event = event
    self.heid = heid
    self.device = device
    self.isPlausible = isPlausible
    self.receivedAt = receivedAt
  }

  package func append(to output: OutputBuffer) {
    let record = event.record
    var writer = JSONFieldWriter("event", in: output)
    if let device {
      writer.string("device", device.uuid.description)
      writer.string("name", device.name)
    }
    writer.string("time", Timestamp(unixMilliseconds: record.collectedAt).rfc3339)
    writer.string("eid", event.eid.description)
    writer.string("heid", heid.description)
    writer.integer("counter", Int64(event.period))
    Self.append(record, to: &writer)
    writer.boolean(
      "plausible",
      isPlausible
        ?? ReportTime.isPlausible(collectedAt: record.collectedAt, period: event.period))
    switch event.status {
    case .success(let status):
      if let isLow = status.battery.isLow { writer.boolean("batteryLow", isLow) }
      if let word = status.battery.word { writer.string("battery", word) }
      writer.boolean("connectable", status.isConnectable)
      writer.boolean("separated", status.isSeparated)
      writer.boolean("sounding", status.isSounding)
      writer.boolean("clockUncertain", status.isClockUncertain)
      writer.boolean("fault", status.hasFault)
    case .failure(let rejection): writer.string("statusError", rejection.rawValue)
    }
    if let receivedAt { writer.string("storedAt", receivedAt.rfc3339) }
    writer.endLine()
  }

  /// Appends where a tracker was, and how well that is known.
  static func append(_ record: LocationRecord, to writer: inout JSONFieldWriter) {
    writer.decimal("latitude", Int64(record.latitudeE7), digits: 7)
    writer.decimal("longitude", Int64(record.longitudeE7), digits: 7)
    if let altitude = record.altitudeCentimetres {
      writer.decimal("altitude", Int64(altitude), digits: 2)
    }
    if let accuracy = record.horizontalAccuracyDecimetres {
      writer.decimal("horizontalAccuracy", Int64(accuracy), digits: 1)
    }
    if let accuracy = record.verticalAccuracyDecimetres {
      writer.decimal("verticalAccuracy", Int64(accuracy), digits: 1)
    }
    if let speed = record.speedCentimetresPerSecond {
      writer.decimal("speed", Int64(speed), digits: 2)
    }
    if let course = record.courseCentidegrees {
      writer.decimal("course", Int64(course), digits: 2)
    }
    if let rssi = record.rssi { writer.integer("rssi", Int64(rssi)) }
    writer.boolean("simulated", record.isSimulated)
  }
}

extension EventDocument {
  /// The document of an event that was fetched.
  package init(_ event: Event, of device: Device) {
    self.init(
      event: ReportOpener.Event(
        period: event.period, eid: EID(event.eid) ?? EID(value: 0), record: event.record,
        status: event.status),
      heid: event.heid, device: device, isPlausible: event.isPlausible,
      receivedAt: event.receivedAt)
  }
}

extension BatteryLevel {
  /// The word of the vocabulary; nil when it does not tell.
  package var word: StaticString? {
    switch self {
    case .unknown: nil
    case .normal: "normal"
    case .low: "low"
    case .critical: "critical"
    }
  }
}
