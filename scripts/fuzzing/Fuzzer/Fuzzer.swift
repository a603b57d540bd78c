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
    switch input[0] % 4 {
    case 0: readCapture(bytes)
    case 1: readEvent(bytes)
    case 2: readData(bytes)
    default: readH4(bytes)
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
