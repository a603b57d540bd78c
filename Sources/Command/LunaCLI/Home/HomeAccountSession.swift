import Glibc
import LunaCore
import LunaDocuments
import LunaHomeWeb
import LunaStore

/// A command that looks after the accounts of a home, whether it runs or not.
struct HomeAccountSession {
  let accounts: HomeAccounts
  let output: OutputBuffer
  let format: OutputFormat
  private let objects: HomeObjects

  /// Does the work of a command.
  ///
  /// - Parameter isMade: whether a database is made where there is none; what only looks at it makes none.
  static func run(
    _ state: StateOption, _ format: OutputOptions, _ general: GeneralOptions, isMade: Bool = true,
    _ body: (HomeAccountSession) async throws -> Void
  ) async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let place = StateDirectory(path: try state.path())
      let directory = try isMade ? place : place.looking(for: HomeStore.fileName)
      let store = try await HomeStore.beside(in: directory)
      let session = HomeAccountSession(
        accounts: HomeAccounts(store), output: output,
        format: OutputFormat.chosen(format.format), objects: HomeObjects(store))
      do {
        try await body(session)
      } catch let refusal as HomeAccountRefusal {
        throw CommandFailure(refusal)
      }
      return .done
    }
  }

  var isJSON: Bool { format == .jsonl }

  /// Prints a link, which nobody can look up again.
  ///
  /// - Parameter takeBack: has it be good no more, where it could not be printed.
  func show(
    _ kind: String, _ secret: String, name: String?, orElse takeBack: () async throws -> Void
  ) async throws {
    let address = try await objects.address() ?? "http://127.0.0.1:8470"
    let link = "\(address)/\(kind)#\(secret)"
    if isJSON {
      output.appendLine("link") { writer in
        if let name { writer.string("name", name) }
        writer.string("link", link)
      }
    } else {
      output.append(line: link)
    }
    try await output.flush(orElse: takeBack)
  }
}

extension CommandFailure {
  /// Why something was not done with accounts of a home.
  init(_ refusal: HomeAccountRefusal) {
    var hint = "luna home account list shows them"
    let reason: String
    switch refusal {
    case .unknown: reason = "there is none of this name"
    case .nameTaken: reason = "this name is taken"
    case .lastOwner:
      reason = "a home needs an owner whose right does not end, and this is the only one"
      hint = "make another one first: luna home account edit NAME --role owner --until never"
    case .link, .secondFactor: reason = "this cannot be done"
    }
    self.init(.notFound, reason, hint: hint)
  }
}
