import LunaDocuments
import Testing

@Suite struct CSVRowsTests {
  @Test func columnsAreTheFieldsOfTheLines() {
    let output = OutputBuffer()
    let fields = ["name", "createdAt", "totp", "rssi", "tags", "place.name"]
    CSVRows.append(fields, to: output) { lines in
      var writer = JSONFieldWriter("account", in: lines)
      writer.string("name", "a, \"b\"")
      writer.string("createdAt", "2026-11-23T15:00:00Z")
      writer.boolean("totp", true)
      writer.integer("rssi", -61)
      writer.beginList("tags")
      writer.element("x")
      writer.element("y")
      writer.endList()
      writer.beginItem("place")
      writer.string("name", "Attic")
      writer.endItem()
      writer.string("other", "z")
      writer.endLine()
      writer = JSONFieldWriter("account", in: lines)
      writer.string("name", "=1+1\u{9B}2J")
      writer.endLine()
    }
    #expect(
      String(decoding: output.take(), as: UTF8.self)
        == """
        name,createdAt,totp,rssi,tags,place.name
        "a, ""b""\",2026-11-23T15:00:00Z,true,-61,x;y,Attic
        '=1+1\\x9b2J,,,,,

        """)
  }
}
