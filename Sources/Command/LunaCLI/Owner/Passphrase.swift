import Glibc
import LunaCore
import LunaCrypto
import LunaStore
import Synchronization

/// Passphrases, from where no other user sees them: a file or descriptor, a credential of systemd,
/// or a terminal. Never an argument. Reading them blocks.
enum Passphrase {
  /// The passphrase of a store that is sealed; nil when there is nowhere to get it from.
  static func find(file: String?) throws(DeviceStoreError) -> SecretBytes? {
    if let path = file ?? PassphraseFile.ofService { return try PassphraseFile.read(path) }
    return ask("Passphrase: ")
  }

  /// A new passphrase, asked for twice on a terminal.
  static func new(file: String?) throws -> SecretBytes {
    if let file { return try PassphraseFile.read(file) }
    guard let first = ask("New passphrase: "), let second = ask("New passphrase again: ") else {
      throw CommandFailure(
        .usage, "there is no terminal to ask for a passphrase",
        hint: "give --new-passphrase-file FILE")
    }
    guard first == second else {
      throw CommandFailure(.usage, "the two passphrases differ", hint: "try again")
    }
    guard first.count > 0 else { throw CommandFailure(.usage, "the passphrase is empty") }
    return first
  }

  /// Asks on the terminal, without showing what is typed; nil when there is none.
  private static func ask(_ prompt: String) -> SecretBytes? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    isSilent.store(before.c_lflag != silent.c_lflag, ordering: .relaxed)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &before)
      isSilent.store(false, ordering: .relaxed)
    }
    write(prompt, to: terminal)
    var line = [UInt8](repeating: 0, count: 1024)
    defer { wipe(&line) }
    let count = Glibc.read(terminal, &line, line.count)
    write("\n", to: terminal)
    guard count > 0 else { return nil }
    return SecretBytes(
      copying: line.span.extracting(first: line[count - 1] == 10 ? count - 1 : count))
  }

  /// Whether the terminal shows nothing of what is typed, and did so before.
  private static let isSilent = Atomic(false)

  /// Has the terminal show again what is typed, for who ends the process while it asks.
  static func showTyping() {
    guard isSilent.exchange(false, ordering: .relaxed) else { return }
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    var state = termios()
    guard tcgetattr(terminal, &state) == 0 else { return }
    state.c_lflag |= tcflag_t(ECHO)
    // Somebody else may have the terminal by now.
    signal(SIGTTOU, SIG_IGN)
    tcsetattr(terminal, TCSANOW, &state)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
