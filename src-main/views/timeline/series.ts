const PAGE = 128
const NO_PAGES: readonly never[] = []

/**
 * An immutable list in pages; a changed list shares all unchanged pages with the previous one. Adding to a hundred
 * thousand items thus costs as much as adding to a few, and earlier lists stay valid. Places do not change when items
 * are removed from the front: `get` and `put` count from the first item ever added.
 */
export class Series<T> {
  /** Number of items removed from the front, and thus the first place. */
  readonly first: number
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

  put(place: number, item: T): Series<T> {
    const { first, end, full, tail } = this
    if (place < first || place >= end) throw new RangeError(`no place ${place} in a series of ${first} to ${end}`)
    const page = Math.floor(place / PAGE) - this.firstPage
    return page === full.length
      ? new Series(first, end, full, tail.with(place % PAGE, item))
      : new Series(first, end, full.with(page, this.page(page + this.firstPage).with(place % PAGE, item)), tail)
  }

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

  findLast(wish: (item: T) => boolean): T | undefined {
    for (let place = this.end - 1; place >= this.first; place--) {
      const item = this.get(place) as T
      if (wish(item)) return item
    }
    return undefined
  }

  latest(count: number): readonly T[] {
    const items: T[] = []
    for (let place = Math.max(this.first, this.end - count); place < this.end; place++) items.push(this.get(place) as T)
    return items
  }

  /** The places that changed since an earlier list from which this one was made; shared pages are skipped. */
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
