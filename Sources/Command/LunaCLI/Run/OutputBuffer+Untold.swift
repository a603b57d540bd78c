import LunaDocuments

extension OutputBuffer {
  /// Writes what is not shown again; where that fails, nobody has it, and it is taken back.
  func flush(orElse takeBack: () async throws -> Void) async throws {
    do throws(WriteError) {
      try flush()
    } catch {
      try await takeBack()
      let failure = CommandFailure(writing: error, to: "standard output")
      throw CommandFailure(
        failure.code, "\(failure.reason): nobody has it, so it was taken back", hint: failure.hint)
    }
  }
}
