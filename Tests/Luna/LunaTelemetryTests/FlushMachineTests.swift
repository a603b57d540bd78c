import Bluetooth
import Diagnosis
import LunaCore
import LunaTesting
import Testing

@testable import LunaTelemetry

@Suite("Sending, as a value")
struct FlushMachineTests {
  private static func item(_ number: Int64) -> QueuedTelemetry {
    QueuedTelemetry(
      id: number,
      .item(
        TelemetryItem(
          id: TelemetryID(high: 0, low: UInt64(number)), time: Timestamp(seconds: 1), key: "a.b",
          value: "1", count: 1)))
  }

  private static func sample(_ number: Int64) -> QueuedTelemetry {
    QueuedTelemetry(
      id: number, .sample(HealthSample(time: Timestamp(seconds: number), health: .init())))
  }

  private static func refusal(_ status: Int, explained: Bool = true) -> BackendError {
    BackendError(.malformed, "no", status: status, isExplained: explained)
  }

  /// Lets a machine send to a backend that refuses batches with some items.
  private static func run(
    _ machine: inout FlushMachine, _ entries: [QueuedTelemetry], hating bad: Set<Int64>,
    explained: Bool, status: Int = 400
  ) -> (requests: Int, stored: Set<Int64>, refused: [Int64: String], end: FlushEnd?) {
    var actions = [machine.first]
    var (requests, stored, refused) = (0, Set<Int64>(), [Int64: String]())
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .load(let limit):
        let waiting = entries.filter { !stored.contains($0.id) && refused[$0.id] == nil }
        actions += machine.take(.loaded(Array(waiting.prefix(limit))))
      case .send(let batch, _):
        requests += 1
        if batch.contains(where: { bad.contains($0.id) }) {
          actions += machine.take(.failed(refusal(status, explained: explained)))
        } else {
          actions += machine.take(.answered(batch.map { _ in .accepted }))
        }
      case .settle(let settlement):
        stored.formUnion(settlement.stored)
        refused.merge(settlement.refused) { $1 }
      case .end(let end): return (requests, stored, refused, end)
      }
    }
    return (requests, stored, refused, nil)
  }

  @Test("One bad item among 500 stops no other", arguments: [true, false], [1, 250, 500])
  func oneBad(explained: Bool, bad: Int64) {
    var machine = FlushMachine(hasHealth: false)
    let result = Self.run(
      &machine, (1...500).map(Self.item), hating: [bad], explained: explained, status: 413)
    #expect(result.stored.count == 499)
    #expect(result.refused == [bad: "tooLarge"])
    #expect(result.end == .done)
    #expect(result.requests <= 20)
  }

  @Test("Who refuses everything without saying why makes nobody lose anything")
  func refusesAll() {
    var machine = FlushMachine(hasHealth: true)
    let result = Self.run(
      &machine, (1...500).map(Self.item), hating: Set(1...500), explained: false)
    #expect(result.refused.isEmpty)
    #expect(result.requests < 40)
    guard case .failed? = result.end else {
      Issue.record("it did not fail")
      return
    }
  }

  @Test("Without a reason one attempt asks once, and the next one with less")
  func asksOnce() {
    var (pace, generator, sizes) = (FlushPace(), Seeded.drawn(), [Int]())
    for _ in 0..<12 {
      var machine = FlushMachine(hasHealth: true, size: pace.size, isPatient: false)
      let result = Self.run(
        &machine, (1...500).map(Self.item), hating: Set(1...500), explained: false)
      #expect(result.refused.isEmpty)
      sizes.append(result.requests)
      _ = pace.pause(after: result.end ?? .done, every: .seconds(30), using: &generator)
      #expect(pace.isFailing)
    }
    #expect(sizes == Array(repeating: 1, count: 8) + Array(repeating: 8, count: 4))
  }

  @Test(
    "Without a reason one bad item among 500 stops no other for long", arguments: [1, 250, 500])
  func oneBadInSeveralAttempts(bad: Int64) {
    var (pace, generator) = (FlushPace(), Seeded.drawn())
    var (left, refused, requests, attempts) = ((1...500).map(Self.item), [Int64: String](), 0, 0)
    while !left.isEmpty, attempts < 20 {
      attempts += 1
      var machine = FlushMachine(hasHealth: true, size: pace.size, isPatient: false)
      let result = Self.run(&machine, left, hating: [bad], explained: false)
      requests += result.requests
      refused.merge(result.refused) { $1 }
      left.removeAll { result.stored.contains($0.id) || refused[$0.id] != nil }
      _ = pace.pause(after: result.end ?? .done, every: .seconds(30), using: &generator)
    }
    #expect(left.isEmpty && refused == [bad: "malformed"])
    #expect(attempts <= 10 && requests <= 100)
  }

  @Test("Items in a row that are refused without a reason stop no other", arguments: [8, 9, 40])
  func manyBadInARow(count: Int64) {
    var machine = FlushMachine(hasHealth: false)
    let result = Self.run(
      &machine, (1...500).map(Self.item), hating: Set(1...count), explained: false)
    #expect(result.stored == Set(count + 1...500))
    #expect(Set(result.refused.keys) == Set(1...count))
    #expect(result.end == .done)
  }

  @Test("Nor do they in several attempts", arguments: [8, 9, 40])
  func manyBadInSeveralAttempts(count: Int64) {
    var (pace, generator) = (FlushPace(), Seeded.drawn())
    var (left, stored, refused) = ((1...500).map(Self.item), Set<Int64>(), [Int64: String]())
    for _ in 0..<20 where !left.isEmpty {
      var machine = FlushMachine(hasHealth: true, size: pace.size, isPatient: false)
      let result = Self.run(&machine, left, hating: Set(1...count), explained: false)
      // Nothing is sent again that was taken, or that was set aside.
      #expect(stored.isDisjoint(with: result.stored))
      stored.formUnion(result.stored)
      refused.merge(result.refused) { $1 }
      left.removeAll { result.stored.contains($0.id) || refused[$0.id] != nil }
      _ = pace.pause(after: result.end ?? .done, every: .seconds(30), using: &generator)
    }
    #expect(left.isEmpty && Set(refused.keys) == Set(1...count))
  }

  @Test("Health that is refused without a reason is no success")
  func healthAlone() {
    var machine = FlushMachine(hasHealth: true, size: 1, isPatient: false)
    #expect(machine.take(.loaded([])) == [.send([], health: true)])
    guard
      case .end(.failed)? = machine.take(.failed(Self.refusal(400, explained: false))).first
    else {
      Issue.record("it did not fail")
      return
    }
  }

  @Test("Thousands go one batch after the other")
  func many() {
    var machine = FlushMachine(hasHealth: false)
    let result = Self.run(&machine, (1...1700).map(Self.item), hating: [], explained: true)
    #expect(result.requests == 4)
    #expect(result.stored.count == 1700)
    #expect(result.end == .done)
  }

  @Test("Nothing is sent when there is nothing")
  func nothing() {
    var machine = FlushMachine(hasHealth: false)
    #expect(machine.take(.loaded([])) == [.end(.done)])
  }

  @Test("Health goes alone, or with the first batch; when that is refused, the batch goes without")
  func health() {
    var machine = FlushMachine(hasHealth: true)
    #expect(machine.take(.loaded([])) == [.send([], health: true)])
    #expect(machine.take(.answered([])) == [.end(.done)])
    #expect(machine.report.sentHealth)

    machine = FlushMachine(hasHealth: true)
    let entries = [Self.item(1)]
    #expect(machine.take(.loaded(entries)) == [.send(entries, health: true)])
    #expect(machine.take(.failed(Self.refusal(400))) == [.send(entries, health: false)])
  }

  @Test("A body has so many samples at most")
  func samples() {
    var machine = FlushMachine(hasHealth: false)
    let entries = (1...250).map { Self.sample(Int64($0)) }
    var sizes: [Int] = []
    var actions = machine.take(.loaded(entries))
    while !actions.isEmpty {
      if case .send(let batch, _) = actions.removeFirst() {
        sizes.append(batch.count)
        actions += machine.take(.answered([]))
      }
    }
    #expect(sizes == [96, 96, 58])
    #expect(machine.report.samples == 250)
  }

  @Test("Each item goes by its own result, and one without any stays")
  func results() {
    var machine = FlushMachine(hasHealth: false)
    _ = machine.take(.loaded((1...4).map(Self.item)))
    let actions = machine.take(
      .answered([.accepted, .rejected(code: "future"), .duplicate, nil]))
    #expect(
      actions.first == .settle(TelemetrySettlement(stored: [1, 3], refused: [2: "future"])))
    guard case .end(.failed)? = actions.last else {
      Issue.record("it did not fail")
      return
    }
  }

  @Test("Other failures end it", arguments: [401, 403, 404, 409, 429, 500, 503])
  func failures(status: Int) {
    var machine = FlushMachine(hasHealth: false)
    _ = machine.take(.loaded([Self.item(1)]))
    let error = BackendError(.failed, "no", status: status)
    #expect(machine.take(.failed(error)) == [.end(.failed(error))])
  }
}
