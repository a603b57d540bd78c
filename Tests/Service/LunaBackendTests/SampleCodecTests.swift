import LunaCore
import Testing

@testable import LunaBackend

@Suite("Samples in the database")
struct SampleCodecTests {
  private var report: HealthReport {
    var report = HealthReport()
    report.uptime = 86_400 * 365
    report.packetsPerSecond = 123.4
    report.packetsDropped = 99_999_999
    report.packetsMalformed = 1_234_567
    report.advertisers = 321
    report.sightingsPerMinute = 12.5
    report.recoveries = 17
    report.silentSeconds = 0
    report.queueDepth = 200_000
    report.queueOldestSeconds = 86_400
    report.outageHoursLeft = 9876.5
    report.eventsLost = 1_000_000
    report.uploadFailures = 54_321
    report.lastUploadSeconds = 86_400
    report.backendMilliseconds = 1500
    report.commandsDone = 100_000
    report.commandsFailed = 100_000
    report.locationState = .stale
    report.clockOffsetMilliseconds = -123_456
    report.cpuPercent = 12.3
    report.memoryMiB = 31.4
    report.diskFreeMiB = 123_456
    report.temperature = 61.5
    report.throttled = true
    return report
  }

  @Test("What is written is read, in few bytes")
  func roundTrip() {
    let sample = StoredSample(report)
    let bytes = SampleCodec.encode(sample)
    #expect(SampleCodec.decode(bytes, count: 1) == sample)
    #expect(SampleField.allCases.allSatisfy { sample[$0] != nil })
    // With its key and what SQLite adds, far below 250.
    #expect(bytes.count <= 90)
    let empty = StoredSample(HealthReport())
    #expect(SampleCodec.decode(SampleCodec.encode(empty), count: 1) == empty)
  }

  @Test("What is cut off is none")
  func damaged() {
    let bytes = SampleCodec.encode(StoredSample(report))
    for count in 0..<bytes.count {
      #expect(SampleCodec.decode(Array(bytes.prefix(count)), count: 1) == nil)
    }
    var long = [UInt8](repeating: 0xFF, count: 40)
    long[0] = 1
    #expect(SampleCodec.decode(long, count: 1) == nil)
  }

  @Test("Numbers of any size", arguments: [0, 1, -1, 63, 64, -65, Int64.max, .min])
  func numbers(number: Int64) {
    var bytes: [UInt8] = []
    SampleCodec.append(number, to: &bytes)
    var rest = bytes[...]
    #expect(SampleCodec.read(&rest) == number)
    #expect(rest.isEmpty)
  }

  @Test("Several become one: means, the worst, the last")
  func merges() {
    var sum = StoredSample(report)
    var later = report
    later.packetsPerSecond = 23.4
    later.queueDepth = 5
    later.diskFreeMiB = 100
    later.recoveries = 1
    later.temperature = nil
    sum.merge(StoredSample(later))
    #expect(sum.count == 2)
    #expect(sum[.packetsPerSecond].map { ($0 * 10).rounded() } == 734)
    #expect(sum[.queueDepth] == 200_000)
    #expect(sum[.diskFreeMiB] == 100)
    #expect(sum[.recoveries] == 1)
    #expect(sum[.temperature] == 61.5)
  }
}
