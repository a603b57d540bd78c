import ChildProcess
import Glibc

/// The end of setting something up: luna doctor, as a person would call it.
enum Examination {
  /// - Parameter state: where the service keeps its state; nil for where this user would.
  static func run(
    _ files: GatewayFiles, state: String?, _ diagnostics: Diagnostics
  ) async throws(CommandFailure) -> ExitCode {
    let words =
      [
        "/proc/self/exe", "doctor", "--config", files.configuration, "--token-file", files.token,
        "--format", "table",
      ] + (state.map { ["--state", $0] } ?? [])
    let run: ProgramRun
    do throws(ProgramRun.Failure) {
      run = try await ProgramRun.run(words)
    } catch {
      throw CommandFailure(.lost, "cannot run luna doctor: \(ErrorText.of(error.code))")
    }
    run.output.withUnsafeBytes { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    guard run.status == 0 else {
      throw CommandFailure(
        .notFound, "it is set up, but luna doctor finds something to mend",
        hint: "do what it says, then call luna doctor again")
    }
    diagnostics.note("luna: the gateway is set up")
    return .done
  }
}
