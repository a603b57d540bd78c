import Beacons
import Bluetooth
import CFuzzer
import LunaProtocol

/// Feeds every parser of bytes from outside. The first byte of an input chooses the parser, so that
/// one run and one corpus serve all of them.
@main
struct Fuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    _ = LLVMFuzzerRunDriver(&count, &arguments) { data, count in
      if let data, count > 0 { Fuzzer.test(UnsafeBufferPointer(start: data, count: count)) }
      return 0
    }
  }

  private static func test(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input.dropFirst())
    switch input[0] % 7 {
    case 0: readCapture(bytes)
    case 1: readEvent(bytes)
    case 2: readData(bytes)
    case 3: readH4(bytes)
    case 4: serve(bytes)
    case 5: PeerConversation.run(bytes)
    default: ControllerConversation.run(bytes)
    }
  }

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
