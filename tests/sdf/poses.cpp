// Prints tests/sdf/golden.txt: poses of all links and frames of walker.sdf, by libsdformat (Debian: libsdformat-dev).
//
//   g++ -std=c++17 poses.cpp -o poses $(pkg-config --cflags --libs sdformat12) && ./poses walker.sdf > golden.txt
#include <cstdio>
#include <iostream>
#include <string>

#include <sdf/sdf.hh>

static void print(const std::string &name, const ignition::math::Pose3d &x) {
    std::printf("%s %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", name.c_str(), x.Pos().X(), x.Pos().Y(), x.Pos().Z(),
                x.Rot().X(), x.Rot().Y(), x.Rot().Z(), x.Rot().W());
}

static void walk(const sdf::Model &model, const std::string &scope, const ignition::math::Pose3d &outer) {
    ignition::math::Pose3d pose;
    for (uint64_t i = 0; i < model.LinkCount(); i++) {
        model.LinkByIndex(i)->SemanticPose().Resolve(pose, "__model__");
        print(scope + model.LinkByIndex(i)->Name(), outer * pose);
    }
    for (uint64_t i = 0; i < model.FrameCount(); i++) {
        if (model.FrameByIndex(i)->Name()[0] == '_') continue;
        model.FrameByIndex(i)->SemanticPose().Resolve(pose, "__model__");
        print(scope + model.FrameByIndex(i)->Name(), outer * pose);
    }
    for (uint64_t i = 0; i < model.ModelCount(); i++) {
        model.ModelByIndex(i)->SemanticPose().Resolve(pose, "__model__");
        walk(*model.ModelByIndex(i), scope + model.ModelByIndex(i)->Name() + "::", outer * pose);
    }
}

int main(int, char **words) {
    sdf::Root root;
    sdf::ParserConfig config = sdf::ParserConfig::GlobalConfig();
    config.SetFindCallback([](const std::string &uri) {
        return uri.rfind("model://", 0) == 0 ? uri.substr(8) : uri;
    });
    for (const auto &error : root.Load(words[1], config)) std::cerr << error << "\n";
    if (!root.Model()) return 1;
    walk(*root.Model(), "", ignition::math::Pose3d::Zero);
    return 0;
}
