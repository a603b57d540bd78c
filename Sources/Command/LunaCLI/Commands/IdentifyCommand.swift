import Bluetooth
import CommandSpec
import LunaBuzzer
import LunaDocuments
import LunaLocal
import Synchronization

/// `luna identify`: what a tracker of any maker tells somebody who does not own it.
struct IdentifyCommand: Sendable {
  var target: BluetoothAddress?
  var wait: Duration?
  var near = NearOptions()

  static let command = Command(
    "identify", "Ask a tracker of any maker what it is.",
    discussion: [
      "Under IETF DULT, a tracker that is separated from its owner tells anyone its maker, "
        + "model, kind, network, firmware and battery. It gives its encrypted identifier only "
        + "for five minutes after a physical action, such as holding its button for 10 s: with "
        + "--wait, luna asks until it does, and ends with 1 where it does not. What a tracker does "
        + "not tell is left out. A tracker whose maker tells nobody but its own app is not asked; "
        + "luna says so at once."
    ],
    initial: IdentifyCommand(),
    arguments: [
      .required("ADDRESS", "Its address now, as luna scan shows it", \.target, addressReader)
    ],
    groups: [
      OptionGroup(
        "What to ask",
        [
          .value(
            "wait", "TIME", "Wait at most TIME for its button to be pressed, for its identifier",
            \.wait, .duration)
        ])
    ] + NearOptions.groups.map { $0.scoped(to: \.near) },
    examples: [
      Example("luna identify C0:FF:EE:00:00:01", "What is this?"),
      Example("luna identify C0:FF:EE:00:00:01 --wait 1m", "With its identifier"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in try options.near.check() })

  private static var addressReader: ValueReader<BluetoothAddress?> {
    ValueReader(expects: "an address such as C0:FF:EE:00:00:01") { text throws(ValueProblem) in
      guard let address = BluetoothAddress(text) else {
        throw ValueProblem("is no address", remedy: "luna scan --trackers shows addresses")
      }
      return address
    }
  }

  func run() async -> ExitCode {
    guard let target else { return .usage }
    let wait = wait ?? .zero
    var near = near
    // Somebody who looks for the button has the time for that besides the usual one.
    near.radio.end = near.radio.end ?? .after(BuzzerLimits().total + wait)
    return await NearSession.run(.address(target), near) { session in
      let code = Mutex(ExitCode.done)
      do {
        try await Ringing.ringer(session, "identify").identify(waitingForIdentifier: wait) { news in
          switch news {
          case .wantsAction:
            session.diagnostics.note(
              "luna: now hold its button, or do what its maker asks for, to get its identifier")
          case .outOfTime:
            session.diagnostics.note("luna: time ran out before everything was asked; try again")
          case .known(let identity):
            IdentityDocument.print(identity, session)
            guard wait > .zero, identity.identifier == nil else { break }
            // What was waited for was not there.
            code.withLock { $0 = .notFound }
            session.diagnostics.note(
              "luna: it did not tell its identifier: nobody pressed its button")
          }
        }
        return NearSession.Result(code: code.withLock { $0 })
      } catch let error as BuzzerError {
        let told = error.considering(session.ear.lastReport)
        session.printer.failed("identify", session.target, told)
        throw CommandFailure(told)
      }
    }
  }
}
