const PAGE = 128
const NO_PAGES: readonly never[] = []

/**
 * A long list that never changes but is followed by others, which share with it every page in which they do not
 * differ: adding to a hundred thousand things costs as much as adding to a few, and older lists stay valid.
 * Things that leave at the front leave their places behind: `get` and `put` count from the first that there ever was.
 */
export class Series<T> {
  /** How many items were removed from the front. */
  readonly first: number
  /** The place after the last one. */
  readonly end: number
  private readonly full: readonly (readonly T[])[]
  private readonly tail: readonly T[]

  private constructor(first: number, end: number, full: readonly (readonly T[])[], tail: readonly T[]) {
    this.first = first
    this.end = end
    this.full = full
    this.tail = tail
  }

  static of<T>(...items: readonly T[]): Series<T> {
    let series = new Series<T>(0, 0, NO_PAGES, NO_PAGES)
    for (const item of items) series = series.append(item)
    return series
  }

  static from<T>(items: readonly T[]): Series<T> {
    const full: T[][] = []
    let at = 0
    for (; items.length - at > PAGE; at += PAGE) full.push(items.slice(at, at + PAGE))
    return new Series<T>(0, items.length, full, items.slice(at))
  }

  get length(): number {
    return this.end - this.first
  }

  get(place: number): T | undefined {
    if (place < this.first || place >= this.end) return undefined
    return this.page(Math.floor(place / PAGE))[place % PAGE]
  }

  at(index: number): T | undefined {
    return this.get((index < 0 ? this.end : this.first) + index)
  }

  append(item: T): Series<T> {
    const { first, end, full, tail } = this
    return tail.length === PAGE
      ? new Series(first, end + 1, [...full, tail], [item])
      : new Series(first, end + 1, full, [...tail, item])
  }

  /** The same with another thing in a place that is taken. */
  put(place: number, item: T): Series<T> {
    const { first, end, full, tail } = this
    if (place < first || place >= end) throw new RangeError(`no place ${place} in a series of ${first} to ${end}`)
    const page = Math.floor(place / PAGE) - this.firstPage
    return page === full.length
      ? new Series(first, end, full, tail.with(place % PAGE, item))
      : new Series(first, end, full.with(page, this.page(page + this.firstPage).with(place % PAGE, item)), tail)
  }

  /** Without its first one. */
  shift(): Series<T> {
    const { first, end, full, tail } = this
    if (first === end) return this
    const emptied = (first + 1) % PAGE === 0
    if (!emptied) return new Series(first + 1, end, full, tail)
    return full.length === 0
      ? new Series(first + 1, end, full, NO_PAGES)
      : new Series(first + 1, end, full.slice(1), tail)
  }

  *[Symbol.iterator](): Generator<T> {
    for (let place = this.first; place < this.end; place++) yield this.get(place) as T
  }

  map<U>(change: (item: T, index: number) => U): U[] {
    return Array.from(this, change)
  }

  find(wish: (item: T) => boolean): T | undefined {
    for (const item of this) if (wish(item)) return item
    return undefined
  }

  findLast(wish: (item: T) => boolean): T | undefined {
    for (let place = this.end - 1; place >= this.first; place--) {
      const item = this.get(place) as T
      if (wish(item)) return item
    }
    return undefined
  }

  /** The last ones, up to a count. */
  latest(count: number): readonly T[] {
    const items: T[] = []
    for (let place = Math.max(this.first, this.end - count); place < this.end; place++) items.push(this.get(place) as T)
    return items
  }

  /** The places that differ from those of an earlier list of the same line; shared pages are skipped. */
  *changedSince(earlier: Series<T>): Generator<number> {
    for (let page = this.firstPage; page * PAGE < this.end; page++) {
      const now = this.page(page)
      const before = page < earlier.firstPage ? undefined : earlier.page(page)
      if (now === before) continue
      for (let i = 0; i < now.length; i++) {
        const place = page * PAGE + i
        if (place >= this.first && now[i] !== before?.[i]) yield place
      }
    }
  }

  private get firstPage(): number {
    return Math.floor(this.first / PAGE)
  }

  private page(number: number): readonly T[] {
    const index = number - this.firstPage
    return index === this.full.length ? this.tail : (this.full[index] ?? NO_PAGES)
  }
}
