import Bluetooth
public import CLuna
import LunaCrypto
import LunaDocuments
import LunaOwner
import LunaProtocol

/// `luna_report_seal` of luna.h.
@_cdecl("luna_report_seal")
public func sealReport(
  _ eid: UnsafePointer<UInt8>?, _ aotp: UnsafePointer<UInt8>?, _ esf: UnsafePointer<UInt8>?,
  _ location: UnsafePointer<luna_location>?, _ heid: UnsafeMutablePointer<UInt8>?,
  _ report: UnsafeMutablePointer<CChar>?
) -> luna_status {
  answer {
    guard let location, let heid, let report else { throw Failure.invalid("an argument is NULL") }
    let frame = (
      eid: try read(eid, EID.byteCount, "eid") { EID($0) },
      aotp: try read(aotp, AOTP.byteCount, "aotp") { AOTP($0) },
      esf: try read(esf, ESF.byteCount, "esf") { ESF($0) }
    )
    let record: LocationRecord
    do throws(LocationRejection) {
      record = try LocationRecord(ReportedLocation(location.pointee))
    } catch {
      throw Failure.invalid("the \(error.rawValue) cannot be written in a report")
    }
    var sealer = try ReportSealer()
    let sealed = sealer.seal(
      record, eid: frame.eid, aotp: frame.aotp, esf: frame.esf, random: try SecureRandom.bytes())
    let identifier = sealed.heid.bytes
    for index in 0..<16 { heid[index] = identifier[index] }
    for (index, character) in sealed.text.utf8.enumerated() {
      report[index] = CChar(bitPattern: character)
    }
    report[sealed.text.utf8.count] = 0
  }
}

/// `luna_report_open` of luna.h.
@_cdecl("luna_report_open")
public func openReport(
  _ masterKey: UnsafePointer<UInt8>?, _ report: UnsafePointer<CChar>?,
  _ heid: UnsafePointer<UInt8>?, _ esf: UnsafePointer<UInt8>?, _ first: UInt32, _ last: UInt32,
  _ location: UnsafeMutablePointer<luna_location>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> luna_status {
  answer {
    let report = try text(report, "report")
    let heid = try read(heid, HEID.byteCount, "heid") { HEID($0) }
    let esf = try read(esf, ESF.byteCount, "esf") { ESF($0) }
    let key = try read(masterKey, 32, "master_key") { MasterKey(SecretBytes(copying: $0)) }
    guard first <= last else { throw Failure.invalid("first_period is above last_period") }
    var opener = try ReportOpener(key)
    guard let period = opener.period(of: heid, in: (first...last).reversed()) else {
      throw Failure(
        status: LUNA_NOT_FOUND, text: "the heid belongs to none of these periods of this key")
    }
    let event: ReportOpener.Event
    do throws(ReportRejection) {
      event = try opener.open(report, heid: heid, esf: esf, period: period)
    } catch {
      let isDamaged = error != .heid && error != .auth
      throw Failure(
        status: isDamaged ? LUNA_MALFORMED : LUNA_NOT_FOUND,
        text: "the report does not open: \(error.reason)")
    }
    if let json {
      let output = OutputBuffer()
      EventDocument(event: event, heid: heid, device: nil).append(to: output)
      json.pointee = try copy(output.line())
    }
    location?.pointee = luna_location(event.record.location)
  }
}

/// What a pointer to so many bytes says.
private func read<Value>(
  _ pointer: UnsafePointer<UInt8>?, _ count: Int, _ name: String, _ make: (Span<UInt8>) -> Value?
) throws -> Value {
  guard let pointer else { throw Failure.invalid("\(name) is NULL") }
  let bytes = Array(UnsafeBufferPointer(start: pointer, count: count))
  guard let value = make(bytes.span) else { throw Failure.invalid("\(name) is not valid") }
  return value
}

extension ReportedLocation {
  fileprivate init(_ location: luna_location) {
    func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
    self.init(
      collectedAt: location.time, latitude: location.latitude, longitude: location.longitude,
      altitude: known(location.altitude), horizontalAccuracy: known(location.horizontal_accuracy),
      verticalAccuracy: known(location.vertical_accuracy), speed: known(location.speed),
      course: known(location.course), rssi: location.rssi == 127 ? nil : Int(location.rssi),
      isSimulated: location.is_simulated)
  }
}

extension luna_location {
  fileprivate init(_ location: ReportedLocation) {
    self.init(
      time: location.collectedAt, latitude: location.latitude, longitude: location.longitude,
      altitude: location.altitude ?? .nan,
      horizontal_accuracy: location.horizontalAccuracy ?? .nan,
      vertical_accuracy: location.verticalAccuracy ?? .nan, speed: location.speed ?? .nan,
      course: location.course ?? .nan, rssi: Int8(clamping: location.rssi ?? 127),
      is_simulated: location.isSimulated)
  }
}
