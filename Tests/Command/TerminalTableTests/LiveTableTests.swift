import Diagnosis
import Dispatch
import Glibc
import LunaTesting
import Testing

@testable import TerminalTable

/// The table in a process of its own on a pseudo-terminal: whatever ends it, the terminal is as it
/// was before.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LiveTableTests {
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Runs in the process under test.
  static func show(
    _ path: String, interval: Duration = .milliseconds(50),
    crash: @escaping @Sendable () -> Void = {}
  ) -> LiveTable.End? {
    let table = try? LiveTable(
      SampleRows.table, style: TableStyle(), interval: interval, path: path,
      source: { request in
        crash()
        let details = [TableRow.Detail(label: "secret", value: "opened")]
        return TableSnapshot(
          source: "pid \(getpid()) ",
          rows: [TableRow(id: 1, kind: "first", details: request.details == 1 ? details : [])])
      })
    return try? table?.runHere()
  }

  /// The process's number, from its first frame.
  static func started(_ terminal: PseudoTerminal) throws -> pid_t {
    _ = try terminal.read(until: enter)
    let title = try terminal.read(until: " · ")
    #expect(!terminal.isCooked)
    let digits = title.split(separator: "pid ").last?.prefix { $0.isNumber } ?? ""
    return try #require(pid_t(digits))
  }

  /// Who sits at the terminal meanwhile: on a thread that may wait, as those of tasks are few and the process under test
  /// needs one.
  static func driver<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) -> Task<Value, any Error> {
    Task {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "driver").async {
          continuation.resume(with: Result { try body() })
        }
      }
    }
  }

  static func expectRestored(_ terminal: PseudoTerminal) throws {
    #expect(terminal.isCooked)
    let rest = try terminal.rest()
    #expect(rest.hasSuffix(leave), "\(rest.debugDescription)")
    #expect(rest.ranges(of: leave).count == 1)
  }

  @Test(arguments: [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS,
  ])
  func signal(number: CInt) async throws {
    let terminal = try PseudoTerminal()
    let driver = Self.driver { kill(try Self.started(terminal), number) }
    await #expect(processExitsWith: .signal(number)) { [path = terminal.path as String] in
      _ = Self.show(path)
    }
    #expect(try await driver.value == 0)
    try Self.expectRestored(terminal)
  }

  @Test func trap() async throws {
    let terminal = try PseudoTerminal()
    await #expect(processExitsWith: .failure) { [path = terminal.path as String] in
      _ = Self.show(path) { fatalError("on purpose") }
    }
    try Self.expectRestored(terminal)
  }

  @Test func fault() async throws {
    let terminal = try PseudoTerminal()
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = terminal.path as String] in
      _ = Self.show(path) { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
    }
    try Self.expectRestored(terminal)
  }

  @Test func exitFromAnywhere() async throws {
    let terminal = try PseudoTerminal()
    await #expect(processExitsWith: .exitCode(7)) { [path = terminal.path as String] in
      _ = Self.show(path) { exit(7) }
    }
    try Self.expectRestored(terminal)
  }

  @Test(arguments: ["q", "\u{1B}[Bq", "/q\u{1B}[A\rq"])
  func quitKey(keys: String) async throws {
    let terminal = try PseudoTerminal()
    let driver = Self.driver {
      _ = try Self.started(terminal)
      terminal.type(keys)
    }
    await #expect(processExitsWith: .exitCode(0)) { [path = terminal.path as String] in
      exit(Self.show(path) == .quit ? 0 : 1)
    }
    try await driver.value
    try Self.expectRestored(terminal)
  }

  @Test func stopAndCancel() async throws {
    for cancels in [true, false] {
      let terminal = try PseudoTerminal()
      await #expect(processExitsWith: .exitCode(0)) {
        [path = terminal.path as String, cancels = cancels as Bool] in
        let (frames, frame) = AsyncStream.makeStream(of: Void.self)
        let table = try LiveTable(SampleRows.table, style: TableStyle(), path: path) { _ in
          frame.yield()
          return TableSnapshot()
        }
        let run = Task { try await table.run() }
        for await _ in frames { break }
        if cancels { run.cancel() } else { table.stop() }
        exit(try await run.value == .stopped ? 0 : 1)
      }
      try Self.expectRestored(terminal)
    }
  }

  /// Stopped as by Ctrl-Z the terminal belongs to the shell; afterwards all is drawn again.
  @Test func stopAndContinue() async throws {
    let terminal = try PseudoTerminal()
    let driver = Self.driver {
      let process = try Self.started(terminal)
      for _ in 0..<5 {
        kill(process, SIGTSTP)
        _ = try terminal.read(until: Self.leave)
        try blockUntil { terminal.isCooked && Self.state(of: process) == "T" }
        kill(process, SIGCONT)
        // No frame falls on the shell's screen.
        #expect(try terminal.read(until: Self.enter) == Self.enter)
        _ = try terminal.read(until: "first")
        #expect(!terminal.isCooked)
      }
      terminal.type("q")
    }
    await #expect(processExitsWith: .exitCode(0)) { [path = terminal.path as String] in
      // A group that a shell could continue; one without a parent in its session cannot stop.
      setpgid(0, 0)
      exit(Self.show(path, interval: .milliseconds(1)) == .quit ? 0 : 1)
    }
    try await driver.value
    try Self.expectRestored(terminal)
  }

  /// Where stopping is not possible the table just stays.
  @Test func stopThatDoesNotHappen() async throws {
    let terminal = try PseudoTerminal()
    let driver = Self.driver {
      let process = try Self.started(terminal)
      kill(process, SIGTSTP)
      _ = try terminal.read(until: Self.leave + Self.enter)
      _ = try terminal.read(until: "first")
      terminal.type("q")
    }
    await #expect(processExitsWith: .exitCode(0)) { [path = terminal.path as String] in
      // A session of its own has no shell in it that could continue the process.
      guard setsid() == getpid() else { exit(2) }
      exit(Self.show(path) == .quit ? 0 : 1)
    }
    try await driver.value
    try Self.expectRestored(terminal)
  }

  @Test func newSizeIsDrawn() async throws {
    let terminal = try PseudoTerminal()
    let driver = Self.driver {
      let process = try Self.started(terminal)
      terminal.resize(columns: 120, rows: 30)
      kill(process, SIGWINCH)
      _ = try terminal.read(until: "\u{1B}[30;1H")
      terminal.resize(columns: 10, rows: 3)
      kill(process, SIGWINCH)
      // Sooner or later there are frames without a fourth row.
      var frames = 0
      while try terminal.read(until: "first").contains("\u{1B}[4;1H"), frames < 1000 { frames += 1 }
      #expect(frames < 1000)
      terminal.type("q")
    }
    await #expect(processExitsWith: .exitCode(0)) { [path = terminal.path as String] in
      exit(Self.show(path) == .quit ? 0 : 1)
    }
    try await driver.value
    try Self.expectRestored(terminal)
  }

  @Test func detailsComeWithTheKey() async throws {
    let terminal = try PseudoTerminal()
    let driver = Self.driver {
      _ = try Self.started(terminal)
      terminal.type("\r")
      _ = try terminal.read(until: "secret  opened")
      terminal.type("q")
    }
    await #expect(processExitsWith: .exitCode(0)) { [path = terminal.path as String] in
      exit(Self.show(path) == .quit ? 0 : 1)
    }
    try await driver.value
    try Self.expectRestored(terminal)
  }

  /// A terminal that nobody reads does not keep the process from ending.
  @Test func nobodyReads() async throws {
    let terminal = try PseudoTerminal()
    await #expect(processExitsWith: .exitCode(0)) { [path = terminal.path as String] in
      let row = TableRow(id: 1, kind: "x", name: String(repeating: "x", count: 60))
      let rows = (0..<100).map { number in
        var row = row
        row.id = UInt64(number)
        return row
      }
      let table = try LiveTable(
        SampleRows.table, style: TableStyle(), interval: .milliseconds(1), path: path,
        source: { _ in TableSnapshot(rows: rows) })
      let run = Task { try await table.run() }
      // What it writes goes nowhere any more.
      let screen = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
      try #require(screen >= 0)
      try await waitUntil {
        var file = pollfd(fd: screen, events: Int16(POLLOUT), revents: 0)
        return poll(&file, 1, 0) == 0
      }
      table.stop()
      exit(try await run.value == .stopped ? 0 : 1)
    }
    #expect(terminal.isCooked)
  }

  @Test func noTerminal() {
    #expect(throws: TerminalError(kind: .open, code: ENOTDIR)) {
      try LiveTable(
        SampleRows.table, style: TableStyle(), path: "/dev/null/none",
        source: { _ in TableSnapshot() }
      )
      .runHere()
    }
    #expect(throws: TerminalError(kind: .configure, code: ENOTTY)) {
      try LiveTable(
        SampleRows.table, style: TableStyle(), path: "/dev/null", source: { _ in TableSnapshot() }
      )
      .runHere()
    }
  }

  /// The letter of a process's state in /proc.
  static func state(of process: pid_t) -> String? {
    guard let file = fopen("/proc/\(process)/stat", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 512)
    guard fgets(&buffer, 512, file) != nil else { return nil }
    let text = String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.split(separator: ") ").last?.split(separator: " ").first.map(String.init)
  }
}
