extension Collection<UInt8> {
    /// The bytes without UTF-8's byte order mark, which PowerShell, .NET, Excel and some editors write.
    public var withoutByteOrderMark: SubSequence { dropFirst(starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// The text in UTF-8 when a byte order mark says that it is UTF-16, which PowerShell and Excel write; nil otherwise.
    package var utf8OfMarkedUTF16: [UInt8]? {
        let isLittle = starts(with: [0xFF, 0xFE])
        guard isLittle || starts(with: [0xFE, 0xFF]) else { return nil }
        let units = stride(from: startIndex + 2, to: endIndex - 1, by: 2).map { index in
            UInt16(self[index + (isLittle ? 1 : 0)]) << 8 | UInt16(self[index + (isLittle ? 0 : 1)])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

extension String {
    /// The text without a byte order mark at its beginning.
    package var withoutByteOrderMark: String { hasPrefix("\u{FEFF}") ? String(dropFirst()) : self }
}
