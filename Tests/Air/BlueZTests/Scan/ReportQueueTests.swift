import Bluetooth
import Diagnosis
import LunaTesting
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct ReportQueueTests {
  private func reports(_ numbers: Range<Int>) -> [AdvertisingReport] {
    numbers.map { number in
      AdvertisingReport(
        time: Timestamp(microseconds: Int64(number)), adapter: 0,
        address: BluetoothAddress(value: UInt64(number)), addressType: .random,
        payload: AdvertisingPayload(), rssi: nil)
    }
  }

  @Test func handsOverAllThatWaits() async throws {
    let queue = ReportQueue(capacity: 10)
    var first = reports(0..<3)
    var second = reports(3..<5)
    queue.push(&first)
    queue.push(&second) { $0.packets += 7 }
    #expect(first.isEmpty && second.isEmpty)
    #expect(try await queue.next()?.map(\.address.value) == [0, 1, 2, 3, 4])
    #expect(queue.counters.reports == 5)
    #expect(queue.counters.packets == 7)
    #expect(queue.counters.queueDrops == 0)
  }

  @Test func countsWhatDoesNotFit() async throws {
    let queue = ReportQueue(capacity: 4)
    var batch = reports(0..<3)
    queue.push(&batch)
    #expect(queue.isCongested)
    batch = reports(3..<9)
    queue.push(&batch)
    batch = reports(9..<10)
    queue.push(&batch)
    #expect(queue.counters.reports == 4)
    #expect(queue.counters.queueDrops == 6)
    #expect(try await queue.next()?.map(\.address.value) == [0, 1, 2, 3])
    batch = reports(10..<12)
    queue.push(&batch)
    #expect(try await queue.next()?.count == 2)
  }

  @Test func waitsForTheFirst() async throws {
    let queue = ReportQueue(capacity: 4)
    let consumer = Task { try await queue.next()?.count }
    try await waitUntil { queue.isAwaited }
    var batch = reports(0..<2)
    queue.push(&batch)
    #expect(try await consumer.value == 2)
  }

  @Test func endsAfterWhatIsInIt() async throws {
    let queue = ReportQueue(capacity: 4)
    var batch = reports(0..<2)
    queue.push(&batch)
    queue.finish()
    queue.finish(SourceError(.lost, "too late"))
    batch = reports(2..<3)
    queue.push(&batch)
    #expect(queue.counters.queueDrops == 1)
    #expect(try await queue.next()?.count == 2)
    #expect(try await queue.next() == nil)
    #expect(try await queue.next() == nil)
  }

  @Test func throwsItsErrorAtTheEnd() async throws {
    let queue = ReportQueue(capacity: 4)
    let consumer = Task { () -> SourceError? in
      do throws(SourceError) {
        _ = try await queue.next()
        return nil
      } catch {
        return error
      }
    }
    try await waitUntil { queue.isAwaited }
    queue.finish(SourceError(.lost, "gone"))
    #expect(await consumer.value?.reason == "gone")
  }

  @Test func endsTheWaitOfACancelledTask() async throws {
    let queue = ReportQueue(capacity: 4)
    let consumer = Task { try await queue.next()?.count }
    try await waitUntil { queue.isAwaited }
    consumer.cancel()
    #expect(try await consumer.value == nil)
    var batch = reports(0..<1)
    queue.push(&batch)
    #expect(try await queue.next()?.count == 1)
  }
}
