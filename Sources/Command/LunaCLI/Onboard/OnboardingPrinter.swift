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
    switch event {
    case .discoveredConnectableLuna(let address):
      diagnostics.note("luna: a tracker that can be onboarded: \(address)")
    case .discoveredNonConnectableLuna(let address):
      diagnostics.note(
        "luna: a tracker that can be onboarded, but accepts no connections right now: \(address); "
          + "waiting (a press of its button helps)")
    case .lunaOnboarded(let device):
      diagnostics.note(
        "luna: \"\(device.name)\" is yours"
          + (device.isUnauthenticated ? "; its identity was not checked" : ""))
    }
  }

  /// How far it has come.
  func print(_ progress: OnboardingProgress) {
    switch progress {
    case .listening: diagnostics.note("luna: listening for trackers")
    case .locked(let peer):
      diagnostics.note(
        "luna: the tracker with this code, \(peer), is locked after five failed attempts; waiting "
          + "for a press of its button")
    case .connecting(let peer, let attempt):
      diagnostics.note(
        "luna: connecting to \(peer)" + (attempt > 1 ? ", attempt \(attempt)" : ""))
    case .detail(let text): diagnostics.detail("luna: \(text)")
    case .agreeing: diagnostics.note("luna: connected; agreeing on keys")
    case .finishing: diagnostics.note("luna: the tracker answered; the keys are stored")
    case .resolving:
      diagnostics.note(
        "luna: its last answer is missing; waiting for it to come back, to ask whether it "
          + "has the keys")
    case .asking(let peer):
      diagnostics.note("luna: asking \(peer) whether it has the keys from an earlier onboarding")
    case .discarded:
      diagnostics.note("luna: the tracker is in factory state: dropped the keys it did not take")
    }
  }
}
