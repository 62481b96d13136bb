import Basics
import Foundation
import SpineDatasets

/// Pictures of a task of Label Studio, each with the results that belong to it.
///
/// A task has one picture; a list of them, whose number is the `item_index` of a result (`<Image valueList="$pages">`), or
/// the end of its `to_name` (`<Repeater on="$document">` with `page_{{idx}}`); or several fields with a tag each.
struct LabelStudioPages {
    struct Page {
        var picture: String
        var results: [JSONValue] = []
    }

    private(set) var pages: [Page]
    private let data: [String: JSONValue]

    init(_ data: [String: JSONValue], _ results: [JSONValue]) throws(ImportFault) {
        (self.data, pages) = (data, [])
        let regions = results.filter(Self.isRegion)
        let tags = Set(regions.compactMap { $0.fields?["to_name"]?.text })
        let lists = data.compactMapValues(Self.pictures)
        let isOfList = regions.contains { $0.fields?["item_index"] != nil } || (try? picture()) == nil
        if isOfList, let list = lists.first(where: { tags.contains($0.key) }) ?? lists.first {
            guard lists.count == 1 || tags.contains(list.key) else {
                throw ImportFault(
                    "\"data\" has \(lists.count) lists of pictures: \(lists.keys.sorted().joined(separator: ", "))"
                )
            }
            pages = list.value.map { Page(picture: $0) }
            let isSingle = pages.count == 1
            try share(results) { isSingle ? $0["item_index"]?.whole : Self.number(of: $0) }
        } else if tags.count > 1 {
            let order = tags.sorted()
            let pictures = order.compactMap { data[$0]?.text }
            guard pictures.count == order.count else {
                let names = order.map { "\"\($0)\"" }.joined(separator: ", ")
                throw ImportFault(
                    "regions are of the tags \(names), which \"data\" has no pictures for; name tags as their fields"
                )
            }
            pages = pictures.map { Page(picture: $0) }
            try share(results) { $0["to_name"]?.text.flatMap(order.firstIndex) }
        } else {
            let only: String = if let named = tags.first.flatMap({ data[$0]?.text }) { named } else { try picture() }
            pages = [Page(picture: only)]
            try share(results) { $0["item_index"]?.whole }
        }
    }

    /// Gives each page the results with its number; those without a number and without a region are of all pages.
    private mutating func share(
        _ results: [JSONValue],
        _ number: ([String: JSONValue]) -> Int?
    ) throws(ImportFault) {
        var numbers: [String: Int] = [:]
        for fields in results.compactMap(\.fields) {
            if let id = fields["id"]?.key, let own = number(fields) { numbers[id] = numbers[id] ?? own }
        }
        let regions = Set(results.filter(Self.isRegion).compactMap { $0.fields?["id"]?.key })
        var common: [JSONValue] = []
        for result in results {
            let id = result.fields?["id"]?.key
            let own = result.fields.flatMap(number) ?? id.flatMap { numbers[$0] } ?? (pages.count == 1 ? 0 : nil)
            guard let own else {
                if Self.isRegion(result) || id.map(regions.contains) == true {
                    throw ImportFault("region \(id ?? ""): no item_index, and the task has \(pages.count) pictures")
                }
                common.append(result)
                continue
            }
            guard pages.indices.contains(own) else {
                let count = pages.count == 1 ? "one picture" : "\(pages.count) pictures"
                throw ImportFault("region \(id ?? ""): is of picture \(own), counted from 0, and the task has \(count)")
            }
            pages[own].results.append(result)
        }
        // A page without results was not labelled; its picture is counted as one that no label refers to.
        if pages.contains(where: { !$0.results.isEmpty }) { pages.removeAll { $0.results.isEmpty } }
        for index in pages.indices { pages[index].results += common }
    }

    /// Returns whether a result has a place in the picture.
    static func isRegion(_ result: JSONValue) -> Bool {
        let value = result.fields?["value"]?.fields ?? [:]
        return ["x", "points", "rle", "keypointlabels"].contains { value[$0] != nil }
    }

    private static func number(of fields: [String: JSONValue]) -> Int? {
        if let index = fields["item_index"]?.whole { return index }
        let digits = fields["to_name"]?.text?.split(separator: "_").dropFirst().last
        return digits.flatMap { Int($0) }
    }

    /// Returns the pictures in a list of them, or of objects with one each; nil for anything else.
    private static func pictures(_ value: JSONValue) -> [String]? {
        guard let list = value.list, !list.isEmpty else { return nil }
        let pictures = list.compactMap { element in
            element.text.flatMap { isPicture($0) ? $0 : nil }
                ?? element.fields?.sorted { $0.key < $1.key }.compactMap(\.value.text).first(where: isPicture)
        }
        return pictures.count == list.count ? pictures : nil
    }

    private static func isPicture(_ text: String) -> Bool {
        ForeignPath.meanings(of: text).contains { PictureFinder.isPicture($0.name) }
    }

    /// Returns the picture among a task's data, by its key or by its ending.
    private func picture() throws(ImportFault) -> String {
        for name in ["image", "ocr", "img", "picture", "photo"] {
            if let text = data[name]?.text, !text.isEmpty { return text }
        }
        let candidates = data.sorted { $0.key < $1.key }.compactMap(\.value.text).filter(Self.isPicture)
        guard let first = candidates.first else { throw ImportFault("\"data\" names no picture") }
        guard candidates.count == 1 else {
            throw ImportFault("\"data\" names \(candidates.count) pictures, none as \"image\" or \"ocr\"")
        }
        return first
    }
}
