import Diagnosis
import Testing

struct DiagnosisTests {
  private struct Broken: Diagnosed, CustomStringConvertible {
    let diagnosis: Diagnosis
  }

  @Test func saysWhatItHas() {
    #expect(Diagnosis("no answer").description == "no answer")
    #expect(Diagnosis("no answer", during: "read").description == "read: no answer")
    #expect(Diagnosis("no answer", remedy: "try again").description == "no answer; try again")
    let whole = Diagnosis("no answer", during: "read", remedy: "try again")
    #expect(whole.description == "read: no answer; try again")
    #expect(whole.problem == "read: no answer")
  }

  @Test func isOneLine() {
    let diagnosis = Diagnosis("a\nb", during: "c\rd", remedy: Remedy("e\u{7}f"))
    #expect(diagnosis.description == #"c\x0dd: a\x0ab; e\x07f"#)
  }

  @Test func speaksForItsError() {
    let error = Broken(diagnosis: Diagnosis("it is off", remedy: "\(.powerOnAdapter("hci0"))"))
    #expect(error.reason == "it is off")
    #expect(error.remedy?.steps == [.powerOnAdapter("hci0")])
    #expect("\(error)" == "it is off; run: bluetoothctl power on")
  }
}
