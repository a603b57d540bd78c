import Glibc

/// Reads QR codes in pictures with zbarimg, a program of the package zbar-tools.
enum PictureReader {
  /// No text of a picture is longer.
  private static let limit = 64 * 1024

  /// The texts of all QR codes in a picture, a line each.
  static func texts(in path: String) throws(CommandFailure) -> [UInt8] {
    guard access(path, R_OK) == 0 else {
      throw CommandFailure(
        ExitCode(reading: errno), "cannot read \(path): \(ErrorText.of(errno))",
        hint: "check its name and permissions")
    }
    // A name that begins with a hyphen would be an option.
    let file = path.hasPrefix("-") ? "./" + path : path
    let (status, output) = try run(
      ["zbarimg", "--quiet", "--raw", "--set", "disable", "--set", "qrcode.enable", file])
    switch status {
    case 0: return output
    // zbarimg(1): no barcode was detected in one or more of the images.
    case 4:
      throw CommandFailure(
        .unreadableInput, "there is no QR code in \(path)",
        hint: "take the picture from nearer, in better light, or type the code into a file for "
          + "--code-file")
    case 127:
      throw CommandFailure(
        .usage, "zbarimg, which reads codes from pictures, is not installed",
        hint: "apt install zbar-tools, or type the code into a file for --code-file")
    default:
      throw CommandFailure(
        .unreadableInput, "zbarimg cannot read \(path) (it ended with \(status))",
        hint: "try another format of picture, such as PNG")
    }
  }

  /// Runs a program that is on PATH; its messages go to our standard error.
  ///
  /// - Returns: how it ended, 127 when there is none; and what it printed.
  private static func run(
    _ words: [String]
  ) throws(CommandFailure) -> (status: Int32, output: [UInt8]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(.lost, "cannot start \(words[0]): \(ErrorText.of(errno))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Our threads block the signals that we wait for; the program shall not.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      close(ends[0])
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    close(ends[1])
    guard failure == 0 else {
      guard failure == ENOENT else {
        throw CommandFailure(.lost, "cannot start \(words[0]): \(ErrorText.of(failure))")
      }
      return (127, [])
    }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      if output.count < limit { output += chunk[..<count] }
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // WIFEXITED and WEXITSTATUS of wait(2) are macros.
    return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, output)
  }
}
