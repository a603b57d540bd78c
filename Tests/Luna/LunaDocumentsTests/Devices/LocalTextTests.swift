import LunaCore
import Testing

@testable import LunaDocuments

@Suite struct LocalTextTests {
  /// What one asks for stands before the identifiers, in the words of the documents.
  @Test func detailsBeginWithWhatMatters() {
    var state = LocalDevice.State(kind: .luna)
    state.name = "Keys"
    state.timedOut = false
    state.batteryLowLevel = false
    state.separated = true
    state.connectable = false
    state.eid = "b6e7b607bdc2304a"
    let details = LocalText.details(state)
    #expect(details.map(\.label) == ["name", "what", "battery", "separated", "connectable", "eid"])
    #expect(
      details.map(\.value) == [
        "Keys", "LunaTracker (separated)", "normal", "yes", "no", "b6e7b607bdc2304a",
      ])
  }
}
