// What the parts of the page share. Whoever sets a value does not know who listens.

export class Store {
    constructor(values = {}) {
        this.values = { ...values };
        this.listeners = new Map();
    }

    get(key) {
        return this.values[key];
    }

    /** Sets one value or several; listeners hear of those that changed, once all are set. */
    set(key, value) {
        const patch = typeof key === "string" ? { [key]: value } : key;
        const changed = Object.keys(patch).filter((name) => !Object.is(this.values[name], patch[name]));
        for (const name of changed) this.values[name] = patch[name];
        const calls = new Set();
        for (const name of changed)
            for (const call of this.listeners.get(name) ?? []) calls.add(call);
        for (const call of calls) call();
        return changed.length > 0;
    }

    /** Calls listener(value) of one key, listener(values) of a list of keys, at changes; returns what stops it. */
    on(keys, listener) {
        const names = Array.isArray(keys) ? keys : [keys];
        const call = () => listener(Array.isArray(keys) ? this.values : this.values[keys]);
        for (const name of names) {
            if (!this.listeners.has(name)) this.listeners.set(name, new Set());
            this.listeners.get(name).add(call);
        }
        return () => names.forEach((name) => this.listeners.get(name).delete(call));
    }
}
