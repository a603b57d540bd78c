import CommandSpec
import Glibc
import Testing

@testable import LunaCLI

@Suite struct SetupGatewayCommandTests {
  private func parse(_ words: String...) throws {
    guard case .run(let match) = try LunaCommand.tree.parse(["setup", "gateway"] + words) else {
      Issue.record("nothing would run")
      return
    }
    _ = try match.resolve()
  }

  /// What it can be answered with can be given.
  @Test(arguments: ["hci1", "00:1A:7D:DA:71:13", "first"])
  func takesAnAdapterOrTheFirst(_ adapter: String) throws { try parse("-i", adapter) }

  /// Without a terminal nothing is asked, with --yes or without.
  @Test(arguments: [[], ["--yes"]] as [[String]]) func namesAllThatIsMissing(_ more: [String])
    async throws
  {
    let luna = try Luna()
    let words = ["setup", "gateway", "--no-service", "--directory", luna.directory + "/etc"] + more
    let both = try await luna.run(words)
    #expect(both.code == 2)
    #expect(both.errors.contains("needs --backend, and --code-file or --token-file where"))
    let one = try await luna.run(words + ["--backend", "https://luna.example"])
    #expect(one.code == 2)
    #expect(one.errors.contains("needs --code-file or --token-file where"), "\(one.errors)")
  }

  /// What is needed was given: the first thing that goes wrong is the file of the token.
  @Test func asksNothingWithoutATerminal() async throws {
    let luna = try Luna()
    let answer = try await luna.run([
      "setup", "gateway", "--no-service", "--directory", luna.directory + "/etc",
      "--backend", "https://luna.example", "--token-file", luna.directory + "/missing",
    ])
    #expect(answer.code == 8, "\(answer.errors)")
    #expect(answer.errors.contains("/missing"), "\(answer.errors)")
  }

  /// A password in it is nobody else's, whether the file is new or has been there.
  @Test(arguments: [nil, "", "# nothing yet\n"] as [String?])
  func aConfigurationWithAPasswordIsForTheServiceAlone(_ former: String?) throws {
    let luna = try Luna()
    let path = luna.directory + "/luna.conf"
    let files = GatewayFiles(directory: luna.directory, configuration: path)
    func mode() -> mode_t {
      var status = stat()
      return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
    func write(isSecret: Bool) throws {
      try files.write(
        "[finder]\nproxy = http://me:hidden@proxy:1\n", isSecret: isSecret, token: nil,
        replacing: isSecret, Diagnostics(quiet: true, verbosity: 0))
    }
    if let former {
      _ = try luna.file("luna.conf", former)
      chmod(path, 0o644)
    }
    try write(isSecret: true)
    #expect([0o600, 0o640].contains(mode()), "\(mode())")
    unlink(path)
    try write(isSecret: false)
    #expect(mode() == 0o644)
  }

  /// Without an adapter luna finder listens on one, not on all.
  @Test(arguments: ["usb", "hci0,hci1", "all", "FIRST", ""])
  func refusesAnythingElse(_ adapter: String) {
    #expect(throws: (any Error).self) { try parse("-i", adapter) }
  }
}
