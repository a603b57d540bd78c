import Bluetooth
import LunaCore
import Testing

@testable import LunaTelemetry

@Suite("What is not written yet")
struct TelemetryBufferTests {
  private var buffer = TelemetryBuffer()
  private let window = Duration.seconds(5)

  private mutating func add(
    _ key: String, value: String = "1", at seconds: Double
  ) -> TelemetryBuffer.Advice {
    buffer.add(key: key, value: value, at: .seconds(seconds), within: window) {
      .known(Timestamp(seconds: Int64(seconds)))
    }
  }

  private mutating func counts(at seconds: Int) -> [Int64] {
    buffer.drain(at: .seconds(seconds), within: window).map(\.count)
  }

  @Test("The first asks to be written soon, the hundredth at once")
  mutating func advice() {
    #expect(add("a.0", at: 0) == .soon)
    for index in 1..<99 { #expect(add("a.\(index)", at: 0) == .nothing) }
    #expect(add("a.99", at: 0) == .now)
    #expect(add("a.100", at: 0) == .nothing)
    #expect(counts(at: 1).count == 101)
    #expect(add("b.1", at: 1) == .soon)
  }

  @Test("The same key is counted up for five seconds, over writes")
  mutating func countsUp() {
    _ = add("a.b", at: 0)
    _ = add("a.b", at: 1)
    #expect(counts(at: 1) == [2])
    _ = add("a.b", at: 4.9)
    _ = add("a.b", at: 5)
    let records = buffer.drain(at: .seconds(5), within: window)
    #expect(records.map(\.count) == [1, 1])
    #expect(
      records.map(\.time) == [.known(Timestamp(seconds: 0)), .known(Timestamp(seconds: 5))])
  }

  @Test("Another value is another item")
  mutating func values() {
    _ = add("a.b", value: "1", at: 0)
    _ = add("a.b", value: "2", at: 0)
    #expect(counts(at: 1) == [1, 1])
  }

  @Test("What could not be written waits, and the oldest goes when there is too much")
  mutating func restore() {
    for index in 0..<600 { _ = add("a.\(index)", at: 0) }
    let records = buffer.drain(at: .seconds(6), within: window)
    #expect(buffer.waiting == 0)
    buffer.restore(records, [:])
    for index in 600..<1100 { _ = add("a.\(index)", at: 7) }
    #expect(buffer.losses == ["storage": 100])
    let left = buffer.drain(at: .seconds(8), within: window)
    #expect(left.count == TelemetryBuffer.limit)
    #expect(left.first?.content == .item(key: "a.100", value: "1"))
  }
}
