import Dispatch
import Glibc
import LunaTesting
import Synchronization

@testable import LunaBackend

/// The private database server of scripts/lib/postgresql-server, which ends with this process.
final class PostgreSQLServer: Sendable {
  /// How to connect to it.
  let settings: String
  // It ends when this end of the pipe is closed, as the kernel does in any case.
  private let input: Int32
  private let count = Atomic(0)

  /// Started when it is asked for first; nil where there is no PostgreSQL.
  static let shared = started()

  /// Three more, over which events are spread; started when they are asked for first.
  static let workers: [PostgreSQLServer] = {
    let workers = Mutex<[PostgreSQLServer]>([])
    DispatchQueue.concurrentPerform(iterations: 3) { _ in
      guard let worker = started() else { return }
      workers.withLock { $0.append(worker) }
    }
    return workers.withLock { $0 }
  }()

  /// Where it is installed it has to start: the tests of all kinds of storage would leave it out without a word
  /// otherwise, and whoever asks the one that fails again, alone, would not notice.
  private static func started() -> PostgreSQLServer? {
    guard PostgreSQLServerTests.isInstalled else { return PostgreSQLServer() }
    for _ in 1...3 {
      if let server = PostgreSQLServer() { return server }
    }
    fatalError("PostgreSQL is installed, but no server starts")
  }

  private init?() {
    let script =
      #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/scripts/lib/postgresql-server"
    var (toServer, fromServer): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&toServer) == 0, pipe(&fromServer) == 0 else { return nil }
    for end in toServer + fromServer { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toServer[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromServer[1], 1)
    TestProgram.closeOthers(&actions)
    var process = pid_t()
    var arguments = [strdup(script), nil]
    defer { free(arguments[0]) }
    guard posix_spawn(&process, script, &actions, nil, &arguments, environ) == 0 else {
      return nil
    }
    close(toServer[0])
    close(fromServer[1])
    defer { close(fromServer[0]) }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(fromServer[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    guard !line.isEmpty else {
      // The script has said why on standard error.
      close(toServer[1])
      return nil
    }
    input = toServer[1]
    // The machine may be busy: that nobody answers for three seconds says nothing.
    settings = "connect_timeout=60 " + String(decoding: line, as: UTF8.self)
  }

  /// How to connect to a database that is empty.
  func newDatabase() throws -> String {
    let name = "test\(count.wrappingAdd(1, ordering: .relaxed).oldValue)"
    try PostgreSQLConnection(settings).execute("CREATE DATABASE \(name)")
    return settings.replacing("dbname=postgres", with: "dbname=\(name)")
  }

  /// Ends all connections to a database, as a server that is started anew does.
  func disconnect(_ settings: String) throws {
    let name = settings.split(separator: "dbname=").last ?? ""
    _ = try PostgreSQLConnection(self.settings).run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1",
      [.text(String(name))])
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: " ").map { $0 == old ? new : String($0) }.joined(separator: " ")
  }
}
