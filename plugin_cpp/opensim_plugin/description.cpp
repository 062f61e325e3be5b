#include "description.hpp"

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "opensim_inertia/description/json.hpp"
#include "opensim_inertia/description/muscles.hpp"

namespace opensim_inertia::native {

namespace {

constexpr std::string_view kKind = "inertial-muscles";

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("the description cannot be read: " + what); }

// FNV-1a in hexadecimal.
std::string checksum(std::string_view text) {
    std::uint64_t sum = 14695981039346656037ULL;
    for (char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    char written[17];
    std::snprintf(written, sizeof written, "%016llx", static_cast<unsigned long long>(sum));
    return written;
}

// The text up to a space, which is taken off.
std::string_view first_word(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

// The JSON after the text's kind, version and checksum, each of which is checked.
std::string_view checked(std::string_view text) {
    const std::string_view kind = first_word(text), version = first_word(text), sum = first_word(text);
    if (kind != kKind)
        fail("it begins with '" + std::string(kind.substr(0, 40)) + "', not with '" + std::string(kKind) + "'");
    if (version != std::to_string(kVersion))
        fail("version " + std::string(version.substr(0, 40)) + " is not the version " + std::to_string(kVersion) +
             " that this plugin reads: export the model with the version of opensim_inertia that the plugin was "
             "built from");
    if (sum != checksum(text)) fail("the checksum is wrong: the text was cut off, or changed after it was written");
    return text;
}

std::vector<std::string> read_words(const DataNode& node) {
    std::vector<std::string> words;
    for (const DataNode& word : node.list()) words.push_back(word.word());
    return words;
}

class Reader {
  public:
    explicit Reader(const DataNode& node) : fields_(node) {}

    Description read() {
        Outline& outline = out_.outline;
        const Vec3d gravity = fields_["gravity"].vector3();
        outline.gravity = {gravity[0], gravity[1], gravity[2]};
        outline.bodies = read_words(fields_["bodies"]);
        outline.coordinates = read_words(fields_["coordinates"]);
        for (const DataNode& joint : fields_["rotations"].list()) read_rotation(joint);
        for (const DataNode& muscle : fields_["muscles"].list()) out_.muscles.push_back(read_muscle(muscle));
        for (const auto& [object, properties] : fields_["properties"].entries_by_name())
            for (const auto& [property, values] : properties.entries_by_name())
                outline.properties.push_back({object, property, values.numbers_or_infinities()});
        for (const auto& [object, count] : fields_["parts"].entries_by_name())
            outline.parts.push_back({object, count.integer(0)});
        fields_.end();
        return std::move(out_);
    }

  private:
    Fields fields_;
    Description out_;

    void read_rotation(const DataNode& node) {
        Fields fields(node);
        const int last = static_cast<int>(out_.outline.coordinates.size()) - 1;
        SharedRotation joint;
        joint.body = fields["body"].word();
        Eigen::Map<Matrix>(joint.rotation.data(), 3, 3) = fields["rotation"].rotation();
        Eigen::Map<Vec3d>(joint.origin.data()) = fields["origin"].vector3();
        const DataNode carries = fields["carries"];
        for (int sign : carries.integers(-1, 1)) joint.carries.push_back(sign);
        if (joint.carries.size() != out_.outline.bodies.size()) carries.fail("one number for each body is expected");
        out_.rates.push_back({read_function(fields["second"], 0, last), read_function(fields["third"], 0, last),
                              fields["cosine"].vector3(), fields["sine"].vector3()});
        out_.outline.rotations.push_back(std::move(joint));
        fields.end();
    }
};

}    // namespace

Description read_description(const std::string& text) {
    const std::string_view json = checked(text);
    try {
        const Data data = JsonReader(json).read();
        return Reader(DataNode(data, "the description")).read();
    } catch (const std::invalid_argument& error) {
        fail(error.what());
    }
}

}    // namespace opensim_inertia::native
