import CLinux
import EventLoop
import Glibc
import HCIHost
import Synchronization

/// luna-helper, which has the capabilities that this process lacks: it opens a Bluetooth socket and
/// hands it over. It is a program that members of a group may run, and, for services, which can gain no
/// rights by running a program, a socket behind which their manager runs it.
final class SocketHelper: Sendable {
  /// What can be asked for.
  enum Request: Hashable, Sendable {
    case monitor, control, query, link
    case user(UInt16)
    case up(UInt16)
    case down(UInt16)

    /// As scripts/helper/request.h has it.
    var text: String {
      switch self {
      case .monitor: "luna 1 monitor"
      case .control: "luna 1 control"
      case .query: "luna 1 query"
      case .link: "luna 1 link"
      case .user(let index): "luna 1 user hci\(index)"
      case .up(let index): "luna 1 up hci\(index)"
      case .down(let index): "luna 1 down hci\(index)"
      }
    }

    fileprivate var hasSocket: Bool {
      switch self {
      case .up, .down: false
      default: true
      }
    }
  }

  /// What is known of the program.
  enum State: Hashable, Sendable {
    case absent
    /// It is there, for others than this user.
    case forbidden
    case usable
  }

  /// Who may run the program.
  static let group = "bluetooth"
  /// It answers within milliseconds, unless the machine has a lot to do.
  private static let patience: Int32 = 10_000

  private let program: String
  private let socket: String
  private let opened = Atomic<Bool>(false)
  private let queried = Mutex<Int32?>(nil)
  private let links = Mutex<[Int32]>([])

  /// - Parameters:
  ///   - program: where the program is.
  ///   - socket: where the manager of services listens for it.
  init(program: String = "/usr/libexec/luna/luna-helper", socket: String = "/run/luna/helper") {
    self.program = program
    self.socket = socket
  }

  /// Whether it has opened a socket for this process.
  var hasOpened: Bool { opened.load(ordering: .relaxed) }

  var state: State {
    if mayRun || access(socket, W_OK) == 0 { return .usable }
    // A directory that may not be looked into is also forbidden.
    return access(program, F_OK) == 0 || errno == EACCES ? .forbidden : .absent
  }

  private var mayRun: Bool { luna_is_confined() == 0 && access(program, X_OK) == 0 }

  /// Has it do something.
  ///
  /// - Returns: The socket, or -1 where none was asked for; nil when nobody is there to ask.
  /// - Throws: what the kernel said to it.
  func ask(_ request: Request) async throws(SystemCallError) -> Int32? {
    try await Blocking.run { [self] () throws(SystemCallError) in try askNow(request) }
  }

  /// The same, for who may wait.
  func askNow(_ request: Request) throws(SystemCallError) -> Int32? {
    var refusal: SystemCallError?
    for way in [askProgram, askSocket] {
      do throws(SystemCallError) {
        guard let descriptor = try way(request) else { continue }
        if request.hasSocket { opened.store(true, ordering: .relaxed) }
        return descriptor
      } catch {
        refusal = error
        // Then it has no rights itself: the other way may be better.
        guard error.errno == EPERM || error.errno == EACCES else { throw error }
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// Keeps a socket to connect with, for a process that is kept from making one.
  func prepareLink() async {
    guard links.withLock({ $0.count < 2 }), let descriptor = (try? await ask(.link)) ?? nil else {
      return
    }
    links.withLock { $0.append(descriptor) }
  }

  /// One of those.
  func takeLink() -> Int32? { links.withLock { $0.popLast() } }

  /// A socket to ask for adapters with, for a process that is kept from making one; kept for good.
  var query: Int32? { queried.withLock { $0 } }

  /// Gets it.
  func prepareQuery() async {
    guard query == nil, let descriptor = (try? await ask(.query)) ?? nil else { return }
    let isSecond = queried.withLock { kept in
      defer { kept = kept ?? descriptor }
      return kept != nil
    }
    if isSecond { close(descriptor) }
  }

  private func askProgram(_ request: Request) throws(SystemCallError) -> Int32? {
    guard mayRun else { return nil }
    var ends: (Int32, Int32) = (-1, -1)
    let made = withUnsafeMutableBytes(of: &ends) {
      luna_unix_pair($0.bindMemory(to: Int32.self).baseAddress, SocketHelper.patience)
    }
    guard made >= 0 else { return nil }
    let process = luna_spawn_on_socket(program, ends.1)
    close(ends.1)
    defer { close(ends.0) }
    guard process > 0 else { return nil }
    defer {
      // It ends by itself once it has answered; one that did not is not waited for.
      kill(process, SIGKILL)
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
    return try converse(request, ends.0)
  }

  private func askSocket(_ request: Request) throws(SystemCallError) -> Int32? {
    let connection = luna_unix_connect(socket, Int32(SOCK_SEQPACKET.rawValue))
    guard connection >= 0 else { return nil }
    defer { close(connection) }
    _ = luna_set_receive_limit(connection, SocketHelper.patience)
    return try converse(request, connection)
  }

  private func converse(
    _ request: Request, _ connection: Int32
  ) throws(SystemCallError) -> Int32? {
    let question = Array(request.text.utf8)
    guard luna_send(connection, question, question.count) == question.count else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    var descriptor: Int32 = -1
    let count = luna_receive_descriptor(connection, &bytes, bytes.count, &descriptor)
    let answer = String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    if answer == "ok", request.hasSocket == (descriptor >= 0) { return descriptor }
    if descriptor >= 0 { close(descriptor) }
    let words = answer.split(separator: " ")
    guard words.count == 3, words[0] == "error", let number = Int32(words[2]), number > 0 else {
      return nil
    }
    throw SystemCallError(String(words[1]), number)
  }
}
