import Beacons
import Bluetooth
import CommandSpec
import JSONWebToken
import LunaCore
import LunaCrypto
import LunaHome
import LunaJSON
import LunaOwner
import LunaProtocol
import LunaWire
import SafeText

/// Everything that reads bytes from outside and does nothing else. Each takes any bytes, and traps when
/// what must hold does not.
public enum Parsers {
  /// A parser: what its seeds are called in the corpus, and what it does.
  public typealias Parser = (name: String, run: @Sendable ([UInt8]) -> Void)

  /// All of them. The first byte of an input of the fuzzer is a number in this list, so new ones go to
  /// its end (see `corpus`).
  public static let all: [Parser] = [
    ("capture", readCapture), ("event", readEvent), ("data", readData), ("h4", readH4),
    ("gatt", serve), ("peer", PeerConversation.run), ("links", ControllerConversation.run),
    ("json", readJSON), ("import", readImport), ("configuration", readConfiguration),
    ("packet", readPackets), ("text", readText), ("samples", ReplayJudgement.run),
    ("home", readHome),
    ("fleet", FleetReading.run), ("share", ShareReading.run),
    ("recording", RecordingReading.run), ("host", HostConversation.run),
  ]

  /// A capture file of any format, given whole and in two parts, which must make no difference.
  private static func readCapture(_ bytes: [UInt8]) {
    let whole = reports(of: bytes, parts: [bytes.count])
    let halves = reports(of: bytes, parts: [bytes.count / 2, bytes.count])
    precondition(whole == halves, "a file read in parts gives other reports")
    for report in whole { readBeacons(report) }
  }

  private static func reports(of bytes: [UInt8], parts: [Int]) -> [AdvertisingReport] {
    var decoder = CaptureDecoder()
    var reports: [AdvertisingReport] = []
    var position = 0
    for end in parts {
      let part = bytes.span.extracting(first: end)
      let isEnd = end == bytes.count
      do throws(SourceError) {
        guard try decoder.readHeader(part, at: &position, isEnd: isEnd) else { continue }
        _ = try decoder.decode(part, at: &position, isEnd: isEnd, limit: .max, into: &reports)
      } catch {
        break
      }
    }
    return reports
  }

  /// An HCI event, and its fragments put together.
  private static func readEvent(_ bytes: [UInt8]) {
    var reports: [AdvertisingReport] = []
    var counters = SourceCounters()
    AdvertisingEventParser.parse(
      event: bytes.span, time: Timestamp(microseconds: 0), adapter: 0, into: &reports,
      counters: &counters)
    var assembler = FragmentAssembler()
    assembler.assemble(&reports, counters: &counters)
    for report in reports { readBeacons(report) }
  }

  /// Advertising data.
  private static func readData(_ bytes: [UInt8]) {
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 0), adapter: nil,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload(bytes), rssi: nil)
    readBeacons(report)
  }

  private static func readBeacons(_ report: AdvertisingReport) {
    for beacon in BeaconDecoder().beacons(in: report) {
      var discard = Discard()
      beacon.write(to: &discard)
      _ = beacon.title
    }
  }

  /// A stream of H4 packets, given whole and byte by byte, which must make no difference.
  private static func readH4(_ bytes: [UInt8]) {
    precondition(packets(of: bytes, step: max(1, bytes.count)) == packets(of: bytes, step: 1))
  }

  /// JSON, and every document of the backend's API that could be in it.
  private static func readJSON(_ bytes: [UInt8]) {
    _ = try? WebKeySet(bytes)
    guard let value = try? JSONReader.read(bytes) else { return }
    // What was read is written, and read again the same.
    precondition((try? JSONReader.read(Array(value.description.utf8))) == value, "not the same")
    _ = try? UploadReply(json: value, count: 2)
    _ = try? EventPage(json: value)
    _ = try? ProblemDocument(json: value)
    _ = try? CommandStatus(json: value)
    _ = try? CommandRequest(json: value)
    _ = try? CommandConfirmation(json: value)
    _ = try? GatewayReport(json: value)
    _ = try? StoredEvent(json: value)
    _ = try? EventQuery(json: value)
    _ = try? TrackerEvent(json: value)
  }

  /// Files of devices, accessories and control packages; a zero byte parts a record from its
  /// alignment.
  private static func readImport(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let alignment = parts.count > 1 ? Array(parts[1]) : nil
    if let devices = try? ImportFile.devices(Array(parts[0]), alignment: alignment) {
      let text = Array(DeviceFile.encode(devices).utf8)
      precondition((try? DeviceFile.decode(text)) == devices, "an export that cannot be imported")
    }
    _ = try? ControlPackageFile.decode(bytes)
  }

  private static func readConfiguration(_ bytes: [UInt8]) {
    _ = try? ConfigurationFile(bytes, name: "luna.conf")
  }

  /// What a message puts a value into has that value in it, and nothing else.
  private static func fill(_ text: String) {
    let template = MessageTemplate(text)
    for place in [MessageTemplate.Place.text, .json, .url, .raw] {
      _ = template.filled(for: place) { $0 }
    }
    let one = MessageTemplate("{{ value }}")
    let json = Array("\"\(one.filled(for: .json) { _ in text })\"".utf8)
    precondition((try? JSONReader.read(json)) == .string(text), "a value leaves its JSON string")
    let url = one.filled(for: .url) { _ in text }
    precondition(PercentEncoding.decode(url) == Array(text.utf8), "a value leaves its address")
  }

  /// The file of a home: what is inserted and rewritten is read again as it was meant.
  private static func readHome(_ bytes: [UInt8]) {
    let file = HomeFile(bytes)
    precondition(file.problems.count <= 100, "more problems than are told")
    let mended = HomeFile(file.withCommas)
    precondition(mended.missingCommas == 0, "a comma is missing still")
    _ = file.settings
    guard file.isUsable else { return }
    precondition(file.missingCommas == 0, "a file that can be used lacks a comma")
    let migrated = HomeFile(file.migrated)
    precondition(migrated.isUsable && !migrated.isOlder, "a migration that cannot be read")
  }

  /// What is small: PDUs, packets, frames, records.
  private static func readPackets(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let bytes = Array(bytes.dropFirst())
    switch kind % 8 {
    case 0:
      guard let pdu = try? ATTPDU(bytes.span) else { return }
      precondition((try? ATTPDU(pdu.bytes.span)) == pdu, "a PDU that does not survive")
    case 1: _ = HCIACLPacket(bytes.span)
    case 2: _ = HCICommand(bytes.span)
    case 3: _ = try? LunaFrame(advertisingData: bytes.span, companies: LunaFrame.defaultCompanies)
    case 4: _ = try? IBeaconFrame(advertisingData: bytes.span, regions: IBeaconFrame.defaultRegions)
    case 5: _ = try? LocationRecord(decoding: bytes.span)
    case 6: _ = ControlPackage(bytes.span)
    default: _ = try? OnboardingInfo(bytes.span)
    }
  }

  /// Words that people and other programs write.
  private static func readText(_ bytes: [UInt8]) {
    _ = try? WebToken(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    if let time = Timestamp(rfc3339: text) {
      // What was read is written, and read again the same, in the years that the text can say.
      precondition(
        !Timestamp.plausible.contains(time) || Timestamp(rfc3339: time.rfc3339) == time,
        "another time")
    }
    fill(text)
    _ = Day(text)
    _ = try? OnboardingCode(text: text)
    _ = ControlPackage(text)
    _ = DeviceUUID(text)
    _ = BluetoothUUID(text)
    _ = Hex.bytes(text)
    _ = Base64.decode(text)
    if bytes.count >= 8 {
      // Any moment can be written down.
      let number = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let time = Timestamp(microseconds: Int64(bitPattern: number))
      precondition(time.rfc3339.utf8.count == 27, "a text of another length")
      _ = Day(time).description
      _ = Timestamp(unixMilliseconds: time.microseconds)
      precondition(time.ifPlausible == .unknown || Timestamp.plausible.contains(time), "the gate")
    }
  }

  private static func packets(of bytes: [UInt8], step: Int) -> [[UInt8]] {
    var splitter = H4Splitter()
    var packets: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      splitter.feed(Array(bytes[start..<min(start + step, bytes.count)]).span) { type, packet in
        packets.append([type.rawValue] + (0..<packet.count).map { packet[$0] })
      }
    }
    return packets
  }

  /// What a client sends to a GATT server: a byte with the length of the next PDU, or 0xFF for one
  /// that the owner indicates, 0xFE for a confirmation that does not come, 0xFD for the end.
  private static func serve(_ bytes: [UInt8]) {
    let characteristic = BluetoothUUID.bit16(0xAA01)
    let services =
      GATTService.required(name: "Luna", appearance: 0)
      + [GATTService(.bit16(0xAA00), [.init(characteristic, [.read, .write, .indicate])])]
    var server = ATTServer(services)
    var largest = server.mtu
    var position = 0
    while position < bytes.count {
      let length = Int(bytes[position])
      position += 1
      let end = min(bytes.count, position + length)
      switch length {
      case 0xFF:
        check(server.indicate(characteristic, Array(bytes[position...])), &server, &largest)
      case 0xFE: check(server.confirmationTimedOut(), &server, &largest)
      case 0xFD: check(server.finish(), &server, &largest)
      default:
        check(server.receive(Array(bytes[position..<end])), &server, &largest)
        position = end
      }
    }
  }

  /// Carries out what the server wants: every PDU fits, and every question is answered once.
  private static func check(
    _ actions: [ATTServerAction], _ server: inout ATTServer, _ largest: inout Int
  ) {
    var actions = actions
    while !actions.isEmpty {
      let action = actions.removeFirst()
      switch action {
      case .send(let pdu): precondition(pdu.count <= largest, "a PDU that does not fit")
      case .read(_, let offset):
        let value = [UInt8](repeating: 7, count: 600)
        actions += server.respond(
          offset <= value.count ? .value(Array(value[offset...])) : .refused(.invalidOffset))
      case .write(_, let value):
        precondition(value.count <= ATTPDU.longestValue, "a value that is too long")
        actions += server.respond(.written)
      case .mtu(let mtu): largest = max(largest, mtu)
      case .startTimer, .stopTimer, .end: break
      }
    }
  }

  /// Takes fields and forgets them.
  private struct Discard: BeaconFieldWriter {
    mutating func word(_ name: StaticString, _ value: StaticString) {}
    mutating func string(_ name: StaticString, _ value: String) {}
    mutating func hex(_ name: StaticString, _ value: Span<UInt8>) {}
    mutating func integer(_ name: StaticString, _ value: Int) {}
    mutating func decimal(_ name: StaticString, _ value: Int, digits: Int) {}
    mutating func boolean(_ name: StaticString, _ value: Bool) {}
    mutating func uuid(_ name: StaticString, _ value: BluetoothUUID) {}
  }
}
