// Stands in where there is nothing to draw, or nothing to draw with: the plots and tables still work.

export class NoScene {
    works = false;
    setTime() {}
    held() {
        return null;
    }
    setState(q) {
        this.q = q;
    }
    state() {
        return this.q ?? [];
    }
    setOptions() {}
    view() {}
    setTheme() {}
    pose() {
        return null;
    }
    fps() {
        return 0;
    }
    atRest() {
        return true;
    }
    playMode() {}
    grown() {}
    dispose() {}
}
