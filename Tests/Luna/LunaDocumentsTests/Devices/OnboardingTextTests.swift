import LunaOnboarder
import Testing

@testable import LunaDocuments

@Suite("What happens while a tracker is onboarded, in words")
struct OnboardingTextTests {
  @Test("Whoever waits is told what helps")
  func tellsWhatHelps() {
    let event = LunaOnboarderEvent.discoveredNonConnectableLuna("C0:FF:EE:00:00:01")
    #expect(OnboardingText.text(event).contains("right now: C0:FF:EE:00:00:01; waiting (a press"))
    #expect(OnboardingText.text(.agreeing) == "connected; agreeing on keys")
    #expect(OnboardingText.text(.detail("as it comes")) == "as it comes")
  }
}
