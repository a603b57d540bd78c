import LunaCore
import LunaStore
import Testing

@testable import LunaTelemetry

@Suite("Contexts", .timeLimit(.minutes(10)))
struct TelemetryContextTests {
  private let place = Workplace()

  private func recorded(
    _ body: @escaping @Sendable (Telemetry) async throws -> Void
  ) async throws -> [String] {
    let telemetry = place.telemetry()
    try await telemetry.within { try await body(telemetry) }
    await telemetry.write()
    return try await place.store().waiting().sorted()
  }

  @Test("Keys are stacked, and appearances recorded")
  func stacked() async throws {
    let keys = try await recorded { _ in
      try await withTelemetry("app", logAppearances: true) {
        try await withTelemetry("page one.list") {
          try TelemetryContext.current.logEvent(key: "tap", value: "3")
          #expect(TelemetryContext.current.path.description == "luna.app.page_one.list")
        }
      }
      #expect(TelemetryContext.current.path.description == "luna")
    }
    #expect(
      keys == [
        "luna.app.appear=1*1", "luna.app.disappear=1*1", "luna.app.page_one.list.event.tap=3*1",
      ])
  }

  @Test("What throws disappears all the same")
  func throwing() async throws {
    struct Failure: Error {}
    let keys = try await recorded { _ in
      await #expect(throws: Failure.self) {
        try await withTelemetry("app", logAppearances: true) { throw Failure() }
      }
    }
    #expect(keys == ["luna.app.appear=1*1", "luna.app.disappear=1*1"])
  }

  @Test("What is no key is not entered")
  func badKey() async throws {
    let keys = try await recorded { _ in
      await #expect(throws: TelemetryError.self) {
        try await withTelemetry("a/b", logAppearances: true) { Issue.record("entered") }
      }
      let context = TelemetryContext.current
      #expect(throws: TelemetryError.self) { try context.logEvent(key: "") }
      #expect(throws: TelemetryError.self) {
        try context.logEvent(key: "a", value: String(repeating: "x", count: 65))
      }
      #expect(throws: TelemetryError.self) { try context.beginTimedOperation(operation: "a/b") }
    }
    #expect(keys.isEmpty)
  }

  @Test("What is begun above is finished below, and recorded above")
  func upwards() async throws {
    let clocks = place.clocks
    let keys = try await recorded { _ in
      try await withTelemetry("app") {
        try TelemetryContext.current.beginTimedOperation(operation: "load")
        try await withTelemetry("page") {
          clocks.pass(.milliseconds(1234))
          let took = TelemetryContext.current.finishTimedOperation(operation: "load")
          #expect(took == .milliseconds(1234))
        }
        #expect(TelemetryContext.current.finishTimedOperation(operation: "load") == nil)
      }
    }
    #expect(keys == ["luna.app.operation.load=1234*1"])
  }

  @Test("What is begun below is not seen above, and hides what is above")
  func hiding() async throws {
    let clocks = place.clocks
    let keys = try await recorded { _ in
      try await withTelemetry("app") {
        try TelemetryContext.current.beginTimedOperation(operation: "load")
        clocks.pass(.seconds(1))
        try await withTelemetry("page") {
          try TelemetryContext.current.beginTimedOperation(operation: "load")
          clocks.pass(.seconds(1))
          TelemetryContext.current.finishTimedOperation(operation: "load")
        }
        try await withTelemetry("other") {
          try TelemetryContext.current.beginTimedOperation(operation: "never")
        }
        #expect(TelemetryContext.current.finishTimedOperation(operation: "never") == nil)
        TelemetryContext.current.finishTimedOperation(operation: "load")
      }
    }
    #expect(keys == ["luna.app.operation.load=2000*1", "luna.app.page.operation.load=1000*1"])
  }

  @Test("Tasks inherit a context, side by side")
  func tasks() async throws {
    let keys = try await recorded { _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in ["one", "two"] {
          group.addTask {
            try await withTelemetry(name) {
              try await Task { try TelemetryContext.current.logEvent(key: "a") }.value
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(keys == ["luna.one.event.a=1*1", "luna.two.event.a=1*1"])
  }

  @Test("The time of a task is recorded, of a cancelled one not")
  func timedTasks() async throws {
    let clocks = place.clocks
    let keys = try await recorded { telemetry in
      await Task.timedOperation("sum") { clocks.pass(.milliseconds(7)) }.value
      let task = Task<Void, any Error>.timedOperation("gone") { throw CancellationError() }
      _ = await task.result
      _ = await Task<Int, Never>.timedOperation("a/b") { 1 }.value
      await telemetry.write()
    }
    #expect(keys == ["global.operation.sum=7*1"])
    let losses = try await place.store().status().losses
    #expect(losses["key"]?.count == 1)
  }
}
