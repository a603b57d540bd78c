import CLinux
import Diagnosis
import EventLoop
import Glibc
import LunaJSON
import LunaStore
import Synchronization

/// `home.sock`: lets programs of the same user, and root, use a home that runs. Lines of JSON go to and
/// fro.
final class HomeSocket: Sendable {
  /// The name of the file.
  static let fileName = "home.sock"
  private static let clientLimit = 32

  private struct State {
    var clients: [Int32: Task<Void, Never>] = [:]
    var isClosed = false
    /// Whether the socket that listens is open: its number is given to others afterwards.
    var isListening = true
  }

  private let descriptor: Int32
  private let path: String
  private let home: LunaHome
  private let state = Mutex(State())

  /// Listens from now on. What is left of a process before is in nobody's way: the caller has made sure
  /// that no other home runs in the directory.
  init(in directory: StateDirectory, _ home: LunaHome) throws(HomeError) {
    path = directory.path + "/" + HomeSocket.fileName
    self.home = home
    unlink(path)
    do throws(UnixSocketFailure) {
      descriptor = try UnixSocket.listen(in: directory.path, name: HomeSocket.fileName)
    } catch {
      throw HomeError(
        .storage, "cannot listen on \(path): \(error.text)",
        remedy: error.code == EADDRINUSE
          ? "move away what is in its place" : "use \(.otherDirectory)")
    }
    Blocking.start { self.accept() }
  }

  private func accept() {
    defer {
      state.withLock { state in
        state.isListening = false
        close(descriptor)
      }
    }
    var turns = AcceptTurns()
    while !state.withLock(\.isClosed) {
      let client = luna_unix_accept(descriptor)
      guard client >= 0 else {
        guard turns.goOn(after: -client, at: .now) else { return }
        // This thread is there for nothing else.
        let rest = turns.rest(at: .now)
        if rest > 0 { poll(nil, 0, rest) }
        continue
      }
      let isWelcome = luna_unix_is_own(client)
      let isIn = state.withLock { state in
        let hasRoom = state.clients.count < HomeSocket.clientLimit
        guard isWelcome, !state.isClosed, hasRoom else { return false }
        state.clients[client] = Task { [weak self] in
          guard let self else { return }
          await HomeSocketSession(client, home).run()
          // The number is given to others from here on.
          self.state.withLock { _ = $0.clients.removeValue(forKey: client) }
          close(client)
        }
        return true
      }
      if !isIn { close(client) }
    }
  }

  /// Ends all conversations, and listens no more.
  func stop() async {
    let tasks = state.withLock { state in
      state.isClosed = true
      for client in state.clients.keys { shutdown(client, Int32(SHUT_RDWR)) }
      if state.isListening { shutdown(descriptor, Int32(SHUT_RDWR)) }
      return Array(state.clients.values)
    }
    unlink(path)
    for task in tasks { await task.value }
  }
}
