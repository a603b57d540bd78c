import Bluetooth
import LunaCore
import LunaDocuments
import LunaOnboarder
import LunaProtocol
import Synchronization

/// Prints what happens while a tracker is onboarded, each as it comes.
final class OnboardingPrinter: Sendable {
  /// The buffer is nobody else's while it runs.
  private struct State: @unchecked Sendable {
    let output: OutputBuffer
    var timeText = TimeText()
  }

  private let state: Mutex<State>
  private let isJSON: Bool
  private let diagnostics: Diagnostics

  init(_ output: OutputBuffer, isJSON: Bool, _ diagnostics: Diagnostics) {
    state = Mutex(State(output: output))
    self.isJSON = isJSON
    self.diagnostics = diagnostics
  }

  /// The first line.
  func start(_ description: SourceDescription) throws(OutputBuffer.WriteError) {
    guard isJSON else { return }
    try state.withLock { state throws(OutputBuffer.WriteError) in
      StartLine.append(description, to: state.output)
      try state.output.flush()
    }
  }

  /// A line of what happened.
  func print(_ event: LunaOnboarderEvent) {
    if !isJSON, case .lunaOnboarded(let device) = event {
      return append("\(device.name)  \(device.uuid.description.uppercased())")
    }
    guard isJSON else { return note(event) }
    state.withLock { state in
      OnboardingDocument.append(event, at: state.timeText.string(.now), to: state.output)
      // Who does not read any more will be noticed with what comes last.
      try? state.output.flush()
    }
    note(event)
  }

  private func append(_ text: String) {
    state.withLock { state in
      state.output.append(line: text)
      try? state.output.flush()
    }
  }

  private func note(_ event: LunaOnboarderEvent) {
    diagnostics.note("luna: " + OnboardingText.text(event))
  }

  /// How far it has come.
  func print(_ progress: OnboardingProgress) {
    let line = "luna: " + OnboardingText.text(progress)
    if case .detail = progress { diagnostics.detail(line) } else { diagnostics.note(line) }
  }
}
