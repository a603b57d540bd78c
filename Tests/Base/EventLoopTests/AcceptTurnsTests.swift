import EventLoop
import Glibc
import Testing

@Suite struct AcceptTurnsTests {
  private let now = ContinuousClock.now

  @Test(arguments: [ECONNABORTED, EINTR, EAGAIN, EPROTO, EHOSTUNREACH])
  func whoIsGoneEndsNothing(code: Int32) {
    var turns = AcceptTurns()
    let goesOn = turns.goOn(after: code, at: now)
    #expect(goesOn && turns.rest(at: now) == -1)
  }

  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM])
  func waitsForRoom(code: Int32) {
    var turns = AcceptTurns()
    let goesOn = turns.goOn(after: code, at: now)
    #expect(goesOn && turns.rest(at: now) == 500)
    #expect(turns.rest(at: now + .microseconds(499_100)) == 1)
    #expect(turns.rest(at: now + .milliseconds(500)) == -1)
  }

  @Test(arguments: [EBADF, EINVAL, ENOTSOCK])
  func listensNoMore(code: Int32) {
    var turns = AcceptTurns()
    let goesOn = turns.goOn(after: code, at: now)
    #expect(!goesOn)
  }
}
