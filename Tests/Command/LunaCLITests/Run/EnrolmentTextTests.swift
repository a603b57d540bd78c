import Testing

@testable import LunaCLI

/// How an enrolment code may be handed on.
@Suite struct EnrolmentTextTests {
  @Test(arguments: [
    "0123-abcd", " 0123-abcd\r\n", "0123- abcd\n",
    #"{"type":"enrolment","name":"attic","code":"0123-abcd"}"# + "\n",
  ])
  func findsTheCode(_ text: String) {
    #expect(EnrolmentText.code(in: text) == "0123-abcd")
  }

  @Test(arguments: [#"{"type":"error"}"#, #"{"code":1}"#, "{"])
  func takesAnythingElseAsItIs(_ text: String) {
    #expect(EnrolmentText.code(in: text) == text)
  }
}
