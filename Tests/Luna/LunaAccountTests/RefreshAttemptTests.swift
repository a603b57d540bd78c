import Bluetooth
import LunaCrypto
import Testing

@testable import LunaAccount

@Suite("One renewal, from the wish to the end")
struct RefreshAttemptTests {
  private let now = Timestamp(seconds: 2_000_000)
  private let old = Samples.credential()

  private func begin(_ refusal: AccountConfiguration.Refusal = .lenient) -> RefreshAttempt {
    var attempt = RefreshAttempt(old, refusal: refusal)
    guard case .lock = attempt.first, case .read = attempt.take(.locked, now: now) else {
      Issue.record("the lock comes first, then the file")
      return attempt
    }
    return attempt
  }

  @Test("The file still has the same: the issuer is asked, and what it gives is written")
  func asks() {
    var attempt = begin()
    guard case .ask(let asked) = attempt.take(.read(old), now: now) else {
      return fail("not asked")
    }
    #expect(asked == old)
    let grant = TokenGrant(accessToken: SecretBytes("new"), expiresIn: 60)
    guard case .write(let new) = attempt.take(.answered(.tokens(grant)), now: now) else {
      return fail("not written")
    }
    #expect(new.accessToken.text == "new")
    #expect(new.refreshToken == old.refreshToken, "what is not in the answer stays")
    #expect(new.generation == 2)
    #expect(new.issuedAt == now)
    guard case .finish(.holds(new)) = attempt.take(.written, now: now) else {
      return fail("not kept")
    }
  }

  @Test("Somebody else was quicker: theirs is used, and the issuer is not asked")
  func adopts() {
    var attempt = begin()
    let theirs = Samples.credential(issuedAt: 1_999_000, generation: 2)
    guard case .finish(.holds(theirs)) = attempt.take(.read(theirs), now: now) else {
      return fail("asked all the same")
    }
  }

  @Test("Somebody else's that has ended too is renewed")
  func renewsTheirs() {
    var attempt = begin()
    let theirs = Samples.credential(refreshToken: "refresh-2", generation: 2)
    guard case .ask(theirs) = attempt.take(.read(theirs), now: now) else {
      return fail("not asked with theirs")
    }
  }

  @Test("Somebody signed out meanwhile")
  func signedOut() {
    var attempt = begin()
    guard case .finish(.signedOut(let error)) = attempt.take(.read(nil), now: now) else {
      return fail("not signed out")
    }
    #expect(error.code == .notLoggedIn)
  }

  @Test("Refused, and the file has another one: that is used")
  func refusedButReplaced() {
    var attempt = begin()
    _ = attempt.take(.read(old), now: now)
    guard case .read = attempt.take(.answered(.invalidGrant), now: now) else {
      return fail("not read again")
    }
    let theirs = Samples.credential(issuedAt: 1_999_000, refreshToken: "r2", generation: 2)
    guard case .finish(.holds(theirs)) = attempt.take(.read(theirs), now: now) else {
      return fail("not used")
    }
  }

  @Test("Refused, and the file has the same: it is cleared")
  func refused() {
    var attempt = begin()
    _ = attempt.take(.read(old), now: now)
    _ = attempt.take(.answered(.invalidGrant), now: now)
    guard case .clear = attempt.take(.read(old), now: now),
      case .finish(.signedOut(let error)) = attempt.take(.cleared, now: now)
    else { return fail("kept") }
    #expect(error.code == .notLoggedIn)
  }

  @Test("Nothing else clears it, unless every refusal is to")
  func kept() {
    let verdicts: [TokenVerdict] = [
      .undecodable, .oauth(code: "invalid_client", description: nil),
      .oauth(code: "slow_down", description: nil), .later(status: 503, retryAfter: 3),
      .later(status: 302, retryAfter: nil), .later(status: 404, retryAfter: nil),
    ]
    for verdict in verdicts {
      var attempt = begin()
      _ = attempt.take(.read(old), now: now)
      guard case .finish(.failed) = attempt.take(.answered(verdict), now: now) else {
        return fail("\(verdict) did not leave it")
      }
      var strict = begin(.strict)
      _ = strict.take(.read(old), now: now)
      guard case .read = strict.take(.answered(verdict), now: now),
        case .clear = strict.take(.read(old), now: now)
      else { return fail("\(verdict) left it") }
    }
    for refusal in [AccountConfiguration.Refusal.lenient, .strict] {
      var attempt = begin(refusal)
      _ = attempt.take(.read(old), now: now)
      let failure = AccountError(.network, "no way")
      guard case .finish(.failed(failure, .none)) = attempt.take(.failed(failure), now: now) else {
        return fail("the network cleared it")
      }
    }
  }

  @Test("The lock is not to be had")
  func locked() {
    var attempt = RefreshAttempt(old, refusal: .lenient)
    guard case .finish(.failed(.locked, _)) = attempt.take(.lockTimedOut, now: now) else {
      return fail("went on")
    }
  }

  @Test("How long the issuer is left alone")
  func holds() {
    let error = AccountError(.server, "busy")
    for (reason, pause) in [
      (RefreshHold.Reason.undecodable, 5), (.configuration, 3600), (.server(30), 30),
      (.server(nil), 5), (.server(1_000_000), 3600), (.none, 0),
    ] {
      var hold = RefreshHold()
      hold.note(error, reason, of: old, now: .seconds(100))
      if pause > 0 { #expect(hold.error(for: old, now: .seconds(99 + pause)) == error) }
      #expect(hold.error(for: old, now: .seconds(100 + pause)) == nil)
      #expect(hold.error(for: Samples.credential(generation: 2), now: .seconds(100)) == nil)
    }
  }
}
