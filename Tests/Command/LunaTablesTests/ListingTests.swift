import LunaDocuments
import LunaTables
import TerminalTable
import Testing

@Suite("What a command lists, in each form")
struct ListingTests {
  private static let pets = [("Ada", 3), ("Ben, the cat", 4)]

  private func text(_ count: Int, as form: Listing.Form) -> String {
    let output = OutputBuffer()
    Listing(
      fields: ["name", "legs"],
      columns: [.init(title: "NAME"), .init(title: "LEGS", isNumber: true)]
    ).append(
      count, as: form, to: output,
      line: { row, lines in
        var writer = JSONFieldWriter("pet", in: lines)
        writer.integer("legs", Int64(Self.pets[row].1))
        writer.string("name", Self.pets[row].0)
        writer.endLine()
      },
      cells: { [Self.pets[$0].0, "\(Self.pets[$0].1)"] })
    return String(decoding: output.take(), as: UTF8.self)
  }

  @Test("A JSON line each")
  func lines() {
    #expect(
      text(2, as: .jsonl)
        == #"""
        {"type":"pet","legs":3,"name":"Ada"}
        {"type":"pet","legs":4,"name":"Ben, the cat"}

        """#)
    #expect(text(0, as: .jsonl).isEmpty)
  }

  @Test("Comma-separated values of its fields; the titles alone where nothing is listed")
  func values() {
    #expect(text(2, as: .csv) == "name,legs\nAda,3\n\"Ben, the cat\",4\n")
    #expect(text(0, as: .csv) == "name,legs\n")
  }

  @Test("Columns for people")
  func columns() {
    #expect(
      text(2, as: .table) == "NAME          LEGS\nAda              3\nBen, the cat     4\n")
    #expect(text(0, as: .table) == "NAME  LEGS\n")
  }
}
