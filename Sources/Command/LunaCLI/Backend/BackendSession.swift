import Glibc
import LunaBackend
import LunaCore
import LunaDocuments

/// What the commands around the backend have in common: the storage, the output, and what errors
/// mean.
struct BackendSession {
  let storage: any Storage
  let output: OutputBuffer
  let format: OutputFormat
  let diagnostics: Diagnostics

  /// - Parameter isMade: whether a storage is made where there is none, and brought to this version.
  static func run(
    _ options: BackendStoreOptions, _ format: OutputFormat?, _ general: GeneralOptions,
    isMade: Bool = true,
    _ work: (BackendSession) async throws -> ExitCode
  ) async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(format)
    return await CommandRun(output, general.diagnostics).run {
      do {
        let storage = try await isMade ? options.prepared() : options.existing()
        let code = try await work(
          BackendSession(
            storage: storage, output: output, format: format, diagnostics: general.diagnostics))
        await storage.close()
        return code
      } catch {
        throw CommandFailure(backend: error) ?? error
      }
    }
  }
}
