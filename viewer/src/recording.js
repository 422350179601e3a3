// A recording: time and columns. Numbers are decoded channel by channel, when first asked for, and may grow (live).

import { lengthOf, numbersOf } from "./base64.js";
import { withUnit } from "./look/numbers.js";

/** A channel as documents have it; `data` is numbers here, entry after entry: width blocks of `rows` numbers. */
class Channel {
    constructor(raw, recording) {
        this.name = text(raw.name);
        this.unit = text(raw.unit);
        this.about = text(raw.about);
        this.width = count(raw.width);
        this.labels = list(raw.labels).map(text);
        this.units = list(raw.units).map(text);
        this.precise = raw.precise === true;
        this.Type = this.precise ? Float64Array : Float32Array;
        this.recording = recording;
        this.encoded = text(raw.data);
        this.whole = null; // all numbers, of wholeRows rows
        this.entries = null; // an array for each entry, as long as needed or longer
    }

    decode() {
        if (this.entries) return this.entries;
        const rows = this.recording.rows;
        this.whole = numbersOf(this.encoded, this.Type, rows * this.width);
        this.wholeRows = rows;
        this.encoded = "";
        this.entries = [];
        for (let k = 0; k < this.width; k++) this.entries.push(this.whole.subarray(k * rows, (k + 1) * rows));
        return this.entries;
    }

    get data() {
        const rows = this.recording.rows;
        const entries = this.decode();
        if (this.wholeRows !== rows) {
            this.whole = new this.Type(rows * this.width);
            entries.forEach((entry, k) => this.whole.set(entry.subarray(0, rows), k * rows));
            this.wholeRows = rows;
        }
        return this.whole;
    }
}

export class Column {
    constructor(recording, channel, entry, name) {
        const about = recording.channels[channel];
        this.recording = recording;
        this.channel = channel;
        this.entry = entry;
        this.name = name;
        this.group = about.name;
        this.label = about.labels[entry] || (about.width > 1 ? String(entry + 1) : about.name);
        this.unit = about.units[entry] || about.unit || "";
        this.about = about.about;
    }

    get values() {
        return this.recording.values(this.channel, this.entry);
    }

    /** The greatest finite number without its sign; found once for the rows there are. */
    largest() {
        if (this.seen !== this.recording.version) {
            this.seen = this.recording.version;
            this.greatest = this.values.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
        }
        return this.greatest;
    }
}

export class Recording {
    constructor(raw, index = 0) {
        this.index = index;
        this.file = text(raw.file);
        this.title = text(raw.title);
        this.rows = count(raw.rows);
        this.allRows = count(raw.all_rows) || this.rows;
        this.decimated = text(raw.decimated);
        this.timeName = text(raw.time_name) || "time";
        this.timeUnit = text(raw.time_unit) || "s"; // "1": none, as of rows that are numbered
        this.channels = list(raw.channels).map((channel) => new Channel(channel, this));
        this.events = list(raw.events).filter((h) => Number.isFinite(h.t)).sort((a, b) => a.t - b.t);
        this.notes = list(raw.notes);
        this.ledger = Array.isArray(raw.ledger) && raw.ledger.length > 0 ? raw.ledger : null;
        this.model = raw.model ?? null;
        this.q = Number.isInteger(raw.q) && raw.q < this.channels.length ? raw.q : -1;
        this.problems = this.note("warnings").split("\n").filter(Boolean).map((line) => `${this.file}: ${line}`);
        this.version = 0; // grows with each append: what was drawn from fewer rows is stale
        this.wholeTime = numbersOf(text(raw.time), Float64Array, this.rows);
        this.columns = columnsOf(this);
        this.byName = new Map(this.columns.map((column) => [column.name, column]));
        this.checkLengths(text(raw.time));
        this.checkTime();
    }

    checkLengths(time) {
        const check = (name, data, size, numbers) => {
            const found = Math.floor(lengthOf(data) / size);
            if (found !== numbers) this.problems.push(`${this.file}: ${name} has ${found} numbers, not ${numbers}`);
        };
        check("time", time, 8, this.rows);
        for (const channel of this.channels)
            check(channel.name, channel.encoded, channel.Type.BYTES_PER_ELEMENT, this.rows * channel.width);
    }

    /** Axes and searches need times that do not go back. */
    checkTime() {
        const time = this.wholeTime;
        let last = time.find(Number.isFinite) ?? 0;
        let wrong = 0;
        for (let i = 0; i < time.length; i++) {
            if (time[i] >= last && time[i] < Infinity) last = time[i];
            else [time[i], wrong] = [last, wrong + 1];
        }
        if (wrong > 0)
            this.problems.push(`${this.file}: ${wrong} times are not numbers or go back; shown at the time before`);
    }

    get time() {
        return this.rows === this.wholeTime.length ? this.wholeTime : this.wholeTime.subarray(0, this.rows);
    }

    /** "time [s]", for axes and headings. */
    get timeLabel() {
        return withUnit(this.timeName, this.timeUnit);
    }

    /** First and last time; [0, 0] when there are no rows. */
    get span() {
        const time = this.time;
        return this.rows > 0 ? [time[0], time[this.rows - 1]] : [0, 0];
    }

    values(channel, entry) {
        const whole = this.channels[channel].decode()[entry];
        return whole.length === this.rows ? whole : whole.subarray(0, this.rows);
    }

    column(name) {
        return this.byName.get(name);
    }

    note(name) {
        return this.notes.find((note) => note.name === name)?.text ?? "";
    }

    /** The last row at or before t; 0 before the first, -1 without rows. */
    rowAt(t) {
        const time = this.time;
        let low = 0;
        let high = this.rows - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (time[middle] <= t) low = middle;
            else high = middle - 1;
        }
        return high < 0 ? -1 : low;
    }

    /**
     * Rows [[time, ...all channels], ...] of which the first is row `first` of the run. Rows already here are passed over,
     * so that a stream may begin again. Returns how many were new, or -1 when rows are missing in between.
     */
    append(first, rows) {
        if (first > this.rows) return -1;
        const fresh = rows.slice(this.rows - first);
        if (fresh.length === 0) return 0;
        this.reserve(this.rows + fresh.length);
        for (const row of fresh) this.put(row);
        this.allRows = Math.max(this.allRows, this.rows);
        this.version++;
        return fresh.length;
    }

    /** The rows of another recording of the same channels. */
    takeRows(other) {
        this.rows = other.rows;
        this.allRows = other.allRows;
        this.wholeTime = other.wholeTime;
        this.channels.forEach((channel, i) => (channel.entries = other.channels[i].decode()));
        this.version++;
    }

    put(row) {
        this.wholeTime[this.rows] = row[0] ?? NaN;
        let at = 1;
        for (const channel of this.channels)
            for (const entry of channel.entries) entry[this.rows] = row[at++] ?? NaN;
        this.rows++;
    }

    reserve(rows) {
        const grown = (array) => {
            if (array.length >= rows) return array;
            const larger = new array.constructor(Math.max(rows, 2 * array.length, 256));
            larger.set(array);
            return larger;
        };
        this.wholeTime = grown(this.wholeTime);
        for (const channel of this.channels) channel.entries = channel.decode().map(grown);
    }
}

function columnsOf(recording) {
    const columns = [];
    const seen = new Map();
    recording.channels.forEach((channel, i) => {
        for (let k = 0; k < channel.width; k++) {
            const label = channel.labels[k] || (channel.width > 1 ? String(k + 1) : "");
            const plain = label ? `${channel.name}.${label}` : channel.name;
            const times = (seen.get(plain) ?? 0) + 1;
            seen.set(plain, times);
            columns.push(new Column(recording, i, k, times > 1 ? `${plain} (${times})` : plain));
        }
    });
    return columns;
}

const text = (value) => (typeof value === "string" ? value : "");
const count = (value) => (Number.isInteger(value) && value > 0 ? value : 0);
const list = (value) => (Array.isArray(value) ? value : []);
