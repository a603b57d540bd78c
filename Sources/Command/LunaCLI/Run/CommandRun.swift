import Bluetooth
import CommandSpec
import LunaAccount
import LunaDocuments
import LunaHome
import LunaTelemetry
import LunaTracker
import MQTT

/// Runs a command's work and says what went wrong: a line on standard error, and as the last line
/// of standard output where `ErrorLine` says so.
struct CommandRun {
  private let output: OutputBuffer
  private let diagnostics: Diagnostics

  init(_ output: OutputBuffer, _ diagnostics: Diagnostics) {
    self.output = output
    self.diagnostics = diagnostics
  }

  func run(_ work: () async throws -> ExitCode) async -> ExitCode {
    let use = CommandUse(isWanted: diagnostics.recordsUse)
    use?.begin()
    let code = await carryOut(work)
    await use?.end()
    return code
  }

  private func carryOut(_ work: () async throws -> ExitCode) async -> ExitCode {
    do {
      let code = try await work()
      try output.flush()
      return code
    } catch let error as OutputBuffer.WriteError {
      if error.isClosedPipe { return .unread(diagnostics) }
      let failure = CommandFailure(writing: error, to: "standard output")
      diagnostics.error(failure)
      return failure.code
    } catch let failure as CommandFailure {
      return report(failure)
    } catch let error as UsageError {
      return report(CommandFailure(error))
    } catch let error as TrackerError {
      return report(CommandFailure(error))
    } catch let error as MQTTError {
      return report(CommandFailure(error))
    } catch let error as AccountError {
      return report(CommandFailure(error))
    } catch let error as HomeCallError {
      return report(CommandFailure(error))
    } catch let error as TelemetryError {
      return report(CommandFailure(.usage, error))
    } catch let error as SourceError {
      return report(CommandFailure(radio: error))
    } catch {
      let failure = CommandFailure(owner: error) ?? CommandFailure(uplink: error)
      if let failure { return report(failure) }
      return report(CommandFailure(.lost, "\(error)"))
    }
  }

  private func report(_ failure: CommandFailure) -> ExitCode {
    diagnostics.error(failure)
    guard ErrorLine.isWanted else { return failure.code }
    ErrorLine.append(failure, to: output)
    // The error is on standard error already, should nobody read this.
    try? output.flush()
    return failure.code
  }
}
