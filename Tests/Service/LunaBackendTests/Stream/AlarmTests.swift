import Testing

@testable import LunaBackend

@Suite(.timeLimit(.minutes(10))) struct AlarmTests {
  @Test func wakesWhoSleeps() async {
    let alarm = Alarm()
    let sleeper = Task { await alarm.sleep(atMost: .seconds(3600)) }
    // Whether it sleeps already or not.
    alarm.ring()
    await sleeper.value
  }

  @Test func isHeardByWhoSleepsLater() async {
    let alarm = Alarm()
    alarm.ring()
    alarm.ring()
    await alarm.sleep(atMost: .seconds(3600))
    // Once.
    await alarm.sleep(atMost: .milliseconds(1))
  }
}
