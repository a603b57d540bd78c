import Bluetooth
import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct RecordTests {
  private func errors(_ kind: RecordKind, _ json: JSONObject) -> [FleetError] {
    do throws(FieldErrors) {
      _ = try RecordEdit(kind, json: json)
      return []
    } catch {
      return error.errors
    }
  }

  @Test func tellsAllThatIsWrong() {
    let found = errors(
      .gateway,
      [
        "name": "", "id": "1", "colour": "red", "tags": ["Nord"], "revision": -1, "state": "online",
        "place": ["latitude": 1],
      ])
    #expect(
      found.map(\.code) == [
        .fieldValue, .fixedField, .unknownField, .fieldValue, .fieldValue, .fixedField, .fieldValue,
      ])
    #expect(found.map(\.field) == ["name", "id", "colour", "tags", "revision", "state", "place"])
  }

  @Test(
    arguments: [
      ["name": .null], ["name": 5], ["name": "a\u{202E}b"], ["name": "\u{200B}"],
      ["site": "\u{3164} \u{2060}"],
      ["name": .string(String(repeating: "a", count: 81))],
      ["manufacturer": .string(String(repeating: "a", count: 81))], ["site": "a\nb"],
      ["note": .string(String(repeating: "a", count: 2001))], ["note": "\u{7}"],
      ["tags": .array((0..<33).map { .string("t\($0)") })], ["tags": "roof"], ["tags": [""]],
      ["tags": .array([.string(String(repeating: "a", count: 33))])], ["picture": "x"],
      ["place": ["latitude": 91, "longitude": 0]], ["place": ["latitude": "1", "longitude": 0]],
      ["place": [:]], ["place": ["text": "x", "source": "guessed"]], ["place": "here"],
      ["place": ["text": "x", "height": 3]], ["place": ["text": "x", "accuracy": -1]],
    ] as [JSONObject])
  func refuses(_ fields: JSONObject) { #expect(errors(.gateway, fields).count == 1) }

  @Test func keepsTheSameInOneForm() throws {
    let edit = try RecordEdit(
      .gateway,
      json: [
        "name": "  Nord 1 ", "tags": ["b", "a", "b"], "site": .null, "revision": 3,
        "place": ["longitude": 13, "latitude": 52], "note": "two\nlines",
      ])
    #expect(edit.revision == 3)
    #expect(
      edit.fields == [
        "name": "Nord 1", "tags": ["a", "b"], "site": .null, "note": "two\nlines",
        "place": ["latitude": .real(52), "longitude": .real(13), "source": "given"],
      ])
  }

  @Test func saysWhichNumberOfAPlaceIsWrong() {
    let problem = #expect(throws: FieldProblem.self) {
      try Place(json: ["text": "x", "accuracy": -1])
    }
    #expect(problem?.text == "has a value of accuracy that is out of range")
  }

  @Test func whatIsNotSeenMayStandBesideWhatIs() throws {
    let family = "\u{1F468}\u{200D}\u{1F469}"
    let edit = try RecordEdit(.gateway, json: ["name": .string(family)])
    #expect(edit.fields == ["name": .string(family)])
    let hidden = try RecordEdit(.gateway, json: ["name": "No\u{200B}rd\u{FEFF}"])
    #expect(hidden.fields == ["name": "Nord"])
  }

  @Test func devicesHaveTheirOwnFields() throws {
    let edit = try RecordEdit(
      .device, json: ["priority": "high", "approved": true, "place": "shelf 3", "name": "Pump"])
    #expect(edit.fields["approved"] == .bool(true))
    #expect(errors(.device, ["priority": "urgent"]).first?.code == .fieldValue)
    #expect(errors(.device, ["family": "tile"]).first?.code == .fixedField)
    #expect(errors(.device, ["site": "x"]).first?.code == .unknownField)
    #expect(try RecordEdit(.device, json: ["approved": false]).fields["approved"] == .null)
  }

  private func merge(_ json: JSONObject, _ changes: [RecordChange]) throws -> RecordMerge {
    RecordMerge(
      try RecordEdit(.gateway, json: json), fields: ["name": "now", "site": "here"], revision: 3,
      changes: changes)
  }

  private let renamed = Samples.change(
    3, revision: 3, [FieldChange(field: "name", before: "then", after: "now")])

  @Test func mergesOtherFields() throws {
    let change = FieldChange(field: "site", before: "here", after: "there")
    #expect(
      try merge(["site": "there", "revision": 2], [renamed]) == .applied([change], isMerged: true))
    #expect(try merge(["site": "there", "revision": 3], []) == .applied([change], isMerged: false))
    #expect(try merge(["site": "here", "revision": 3], []) == .applied([], isMerged: false))
  }

  @Test func whatARecordOfBeforeWasIsNoConflict() throws {
    let before = Samples.change(
      1, revision: 5, [FieldChange(field: "site", before: "here", after: "elsewhere")])
    let change = FieldChange(field: "site", before: "here", after: "there")
    let edits: [JSONObject] = [["site": "there", "revision": 3], ["site": "there"]]
    for json in edits {
      #expect(try merge(json, [before]) == .applied([change], isMerged: false))
    }
  }

  @Test func tellsConflictsWithThreeValues() throws {
    let conflict = FieldConflict(field: "name", base: "then", theirs: "now", yours: "mine")
    #expect(
      try merge(["name": "mine", "site": "there", "revision": 2], [renamed])
        == .conflicts([conflict]))
    // Both wrote the same.
    #expect(try merge(["name": "now", "revision": 2], [renamed]) == .applied([], isMerged: true))
    #expect(try merge(["name": "mine", "revision": 4], []) == .futureRevision)
    // What happened in between is not known any more.
    let unknown = FieldConflict(field: "site", base: .null, theirs: "here", yours: "there")
    #expect(try merge(["site": "there", "revision": 1], [renamed]) == .conflicts([unknown]))
  }

  private func plan(
    _ change: RecordChange, later: [RecordChange] = [], isRemoved: Bool? = false, days: Int64 = 0
  ) -> Result<UndoPlan, FleetError> {
    Result { () throws(FleetError) in
      try UndoPlan(
        change, later: later, isRemoved: isRemoved,
        at: .init(microseconds: Samples.now.microseconds + days * 86_400_000_000))
    }
  }

  private func refusal(_ result: Result<UndoPlan, FleetError>) -> FleetError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  @Test func takesBack() throws {
    #expect(
      try plan(renamed).get() == .edit([FieldChange(field: "name", before: "now", after: "then")]))
    #expect(try plan(Samples.change(1, .add)).get() == .remove)
    #expect(try plan(Samples.change(1, .remove), isRemoved: true).get() == .restore)
    #expect(try plan(Samples.change(1, .forget, kind: "device"), isRemoved: true).get() == .recall)
    let other = Samples.change(4, .edit, [FieldChange(field: "site", before: .null, after: "x")])
    #expect(refusal(plan(renamed, later: [other])) == nil)
  }

  @Test func whatWasTakenBackIsInNobodysWay() throws {
    let again = Samples.change(4, .edit, [FieldChange(field: "name", before: "now", after: "x")])
    let back = Samples.change(
      5, .edit, [FieldChange(field: "name", before: "x", after: "now")], undoes: 4)
    #expect(
      try plan(renamed, later: [again, back]).get()
        == .edit([FieldChange(field: "name", before: "now", after: "then")]))
    #expect(try plan(Samples.change(1, .add), later: [again, back]).get() == .remove)
    // Unless that was taken back, too.
    let anew = Samples.change(
      6, .edit, [FieldChange(field: "name", before: "now", after: "x")], undoes: 5)
    #expect(refusal(plan(renamed, later: [again, back, anew])) == .changedSince)
  }

  @Test func refusesToTakeBack() throws {
    #expect(refusal(plan(Samples.change(1, kind: "account"))) == .notUndoable)
    #expect(refusal(plan(Samples.change(1, .purge))) == .notUndoable)
    #expect(refusal(plan(renamed, days: 31)) == .tooOld)
    #expect(refusal(plan(renamed, isRemoved: nil)) == .gone)
    #expect(refusal(plan(renamed, later: [Samples.change(4, .purge)])) == .gone)
    #expect(refusal(plan(renamed, isRemoved: true)) == .changedSince)
    #expect(refusal(plan(renamed, later: [Samples.change(4, undoes: 3)])) == .alreadyUndone)
    let again = Samples.change(4, .edit, [FieldChange(field: "name", before: "now", after: "x")])
    #expect(refusal(plan(renamed, later: [again])) == .changedSince)
    #expect(refusal(plan(Samples.change(1, .add), later: [again])) == .changedSince)
    #expect(refusal(plan(Samples.change(1, .remove), isRemoved: false)) == .changedSince)
  }
}
